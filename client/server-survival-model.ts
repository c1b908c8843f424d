import * as l10n from '@vscode/l10n';
import type { BoardResumed } from '../protocol/initialization.ts';

const LIMIT = { restarts: 3, withinMs: 3 * 60_000 } as const;

/** How often the language server has died lately, and what that means. */
export class Crashes {
  #at: readonly number[] = [];

  /** Of several that follow each other, one is said. */
  add(now: number): 'say' | 'restart' | 'give-up' {
    const recent = this.#at.filter((at) => now - at < LIMIT.withinMs);
    this.#at = [...recent, now];
    if (recent.length >= LIMIT.restarts) return 'give-up';
    return recent.length === 0 ? 'say' : 'restart';
  }

  /** The user has started it anew. */
  forget(): void {
    this.#at = [];
  }
}

/** What became of tasks that ran before; nothing where none did. */
export function resumedText({
  runningCount,
  finishedCount,
  lostCount,
}: BoardResumed): string | undefined {
  if (runningCount + finishedCount + lostCount === 0) return undefined;
  const parts = [
    runningCount === 1
      ? l10n.t('Re-attached to 1 running task')
      : l10n.t('Re-attached to {0} running tasks', runningCount),
    ...(finishedCount > 0 ? [l10n.t('{0} finished meanwhile', finishedCount)] : []),
    l10n.t('{0} lost', lostCount),
  ];
  return parts.join(', ');
}

export function crashText(resumed: BoardResumed): string {
  const said = l10n.t('The language server of Interlock ended unexpectedly and was started again.');
  const found = resumedText(resumed);
  return found === undefined ? said : `${said} ${found}.`;
}

export function givenUpText(): string {
  return l10n.t(
    'The language server of Interlock ended unexpectedly {0} times within {1} minutes and is not started again. Tasks that run go on.',
    LIMIT.restarts + 1,
    LIMIT.withinMs / 60_000,
  );
}

/** For views, and for whoever asks for something meanwhile. */
export function noServerText(): string {
  return l10n.t(
    'The language server of Interlock is not running. Start it with "Interlock: Restart Server".',
  );
}
