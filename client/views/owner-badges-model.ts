/** What an editor has been told of a file, as far as it matters here. */
export interface ToldOfFile {
  readonly source?: string | undefined;
  readonly code?: unknown;
  readonly message: string;
}

/** Who else writes a file, in the words of the server; nothing for a file that nobody else writes. */
export function ownerOf(told: readonly ToldOfFile[]): string | undefined {
  return told.find(({ source, code }) => source === 'interlock' && code === 'owner')?.message;
}
