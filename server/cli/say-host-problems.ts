import { errLine } from './say.ts';
import type { Terminal } from './terminal.ts';

/** What is wrong where the user names hosts: what is meant by one that is not known may be there. */
export function sayHostProblems(
  terminal: Pick<Terminal, 'err'>,
  { problems }: { readonly problems: readonly string[] },
): void {
  for (const problem of problems) errLine(terminal, problem);
}
