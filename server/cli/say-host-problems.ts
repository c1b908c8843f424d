import { displayText } from '../domain/display-text.ts';
import type { Terminal } from './terminal.ts';

/** What is wrong where the user names hosts: what is meant by one that is not known may be there. */
export function sayHostProblems(
  terminal: Pick<Terminal, 'err'>,
  { problems }: { readonly problems: readonly string[] },
): void {
  for (const problem of problems) terminal.err(`${displayText(problem)}\n`);
}
