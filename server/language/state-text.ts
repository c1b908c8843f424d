/** What a task's state looks like behind a line of a plan. A task that nobody has run says nothing. */
const TEXTS: Readonly<Record<string, string>> = {
  waiting: '◌ waiting',
  ready: '◌ ready',
  claimed: '▶ claimed',
  running: '▶ running',
  completed: '✓ completed',
  failed: '✗ failed',
  cancelled: '– cancelled',
  skipped: '– skipped',
  blocked: '⊘ cannot start',
  interrupted: '⏸ interrupted',
  attention: '! needs you',
};

/** Somebody works on it. */
export const ACTIVE_STATES: ReadonlySet<string> = new Set(['claimed', 'running']);

export function stateText(kind: string): string | undefined {
  return TEXTS[kind];
}

/** The same without its sign, for a sentence. */
export function stateWords(kind: string): string {
  return stateText(kind)?.replace(/^\S+ /, '') ?? kind;
}
