import type { TaskView } from '../../protocol/tasks.ts';

export interface WorkspaceFolderName {
  readonly uri: string;
  readonly name: string;
  readonly path: string;
}

/** One server of tools that the editor may start. */
export interface BoardServer {
  readonly label: string;
  readonly args: readonly string[];
}

/** For each folder with tasks one; none before the user trusts what is open. */
export function boardServers(
  folders: readonly WorkspaceFolderName[],
  tasks: readonly Pick<TaskView, 'folderUri'>[],
  { isTrusted, program }: { readonly isTrusted: boolean; readonly program: string },
): readonly BoardServer[] {
  if (!isTrusted) return [];
  const inUse = new Set(tasks.map(({ folderUri }) => folderUri));
  return folders
    .filter(({ uri }) => inUse.has(uri))
    .map(({ name, path }) => ({
      label: `Interlock: ${name}`,
      args: [program, 'mcp', '--board', path],
    }));
}
