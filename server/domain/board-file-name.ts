/** The board's database. See decision 31 for when a board goes on in a copy: `board-2.db`, `board-3.db` … */
const FIRST = 'board.db';
const LATER = /^board-([1-9]\d{0,9})\.db$/;

/** The database that counts, by the names in the board's directory. */
export function newestBoardFile(names: readonly string[]): string {
  let newest = 1;
  for (const name of names) newest = Math.max(newest, Number(LATER.exec(name)?.[1] ?? 1));
  return boardFile(newest);
}

/** What lies beside a database is named after the first one. */
export function firstBoardFile(name: string): string {
  return LATER.test(name) ? FIRST : name;
}

/** The name of the copy that takes the place of a database. */
export function boardFileAfter(name: string): string {
  return boardFile(generationOf(name) + 1);
}

/** The name of the database that this one is a copy of. */
export function boardFileBefore(name: string): string | undefined {
  const generation = generationOf(name);
  return generation === 1 ? undefined : boardFile(generation - 1);
}

function generationOf(name: string): number {
  return Number(LATER.exec(name)?.[1] ?? 1);
}

function boardFile(generation: number): string {
  return generation === 1 ? FIRST : `board-${generation}.db`;
}
