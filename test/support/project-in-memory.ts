import type { Project } from '../../server/plans/starter/project.ts';

/** A folder that lies nowhere, by the texts of its files. */
export function projectInMemory(files: Readonly<Record<string, string>>): Project {
  return {
    read: (file) => files[file],
    entries: (folder) => {
      const start = folder === '' ? '' : `${folder}/`;
      const below = Object.keys(files).flatMap((file) =>
        file.startsWith(start) ? [file.slice(start.length)] : [],
      );
      const folders = new Set(below.filter((file) => file.includes('/')).map(firstName));
      return [...new Set(below.map(firstName))].map((name) => ({
        name,
        isFolder: folders.has(name),
      }));
    },
  };
}

function firstName(file: string): string {
  return file.split('/')[0] ?? '';
}
