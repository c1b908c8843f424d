/** A folder that has no plan yet. Paths are relative to it, with `/`. */
export interface Project {
  /** Nothing for what is no file that can be read. */
  read(file: string): string | undefined;
  /** What lies in a folder of it. */
  entries(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[];
}

/** What has one of these names in a folder, in the order of the names. */
export function present(
  project: Project,
  { folder = '', names }: { readonly folder?: string; readonly names: readonly string[] },
): readonly string[] {
  const there = new Set(project.entries(folder).map(({ name }) => name));
  return names.filter((name) => there.has(name));
}

/** The same, as patterns of a plan: a folder stands for all that is in it. */
export function patternsOf(
  project: Project,
  { folder = '', names }: { readonly folder?: string; readonly names: readonly string[] },
): readonly string[] {
  const folders = new Set(
    project.entries(folder).flatMap(({ name, isFolder }) => (isFolder ? [name] : [])),
  );
  return present(project, { folder, names }).map((name) => {
    const place = joined(folder, name);
    return folders.has(name) ? `${place}/**` : place;
  });
}

export function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
