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
  withTasks: ReadonlySet<string>,
  { isTrusted, program }: { readonly isTrusted: boolean; readonly program: string },
): readonly BoardServer[] {
  if (!isTrusted) return [];
  return folders
    .filter(({ uri }) => withTasks.has(uri))
    .map(({ name, path }) => ({
      label: `Interlock: ${name}`,
      args: [program, 'mcp', '--board', path],
    }));
}
