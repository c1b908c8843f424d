import * as l10n from '@vscode/l10n';
import { displayText } from '../../picture/display-text.ts';
import type { AttemptName, LogEnded, LogOutput } from '../../protocol/logs.ts';
import type { TaskView } from '../../protocol/tasks.ts';

/** Dim letters would be hard to read in some themes. */
const ITALIC = '\u001B[3m';
const NAME = '\u001B[36m';
const GREEN = '\u001B[32m';
const RED = '\u001B[31m';
const PLAIN = '\u001B[0m';
// oxlint-disable-next-line no-control-regex -- that is what colours begin with
const COLOURS = /\u001B\[[\d;:]*[mK]/g;
/** The screen, what has scrolled off it, and back to the first place. */
export const CLEAR = '\u001B[2J\u001B[3J\u001B[H';

/** A terminal goes down at LF, and to the first column only at CR. */
export function terminalLines(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/** Something that we say, between what tasks print; names in it are no colours, and go nowhere. */
export function saidLine(sentence: string): string {
  return `${ITALIC}${sentence.split('\n').map(displayText).join('\r\n')}${PLAIN}\r\n`;
}

/** What a terminal shows of the output of one or several tasks. */
export class TerminalText {
  /** Each line begins with the name of its task. */
  readonly #isNamed: boolean;
  readonly #width: number;
  /** Lines that have no end yet, by their tasks: those of several tasks do not mix. */
  readonly #begun = new Map<string, string>();
  readonly #attempts = new Map<string, AttemptName>();
  #isInLine = false;

  constructor(tasks: readonly string[]) {
    this.#isNamed = tasks.length > 1;
    this.#width = Math.max(...tasks.map(({ length }) => length));
  }

  output({ task, attempt, text }: LogOutput): string {
    const said = this.#newAttempt(task, attempt);
    if (this.#isNamed) return said + this.#named(task, text);
    const seen = text.replaceAll(COLOURS, '');
    if (seen !== '') this.#isInLine = !seen.endsWith('\n');
    return said + terminalLines(text);
  }

  /** The last line of a task, whether or not it has an end, and what became of the task. */
  ended(end: LogEnded): string {
    const rest = this.#begun.get(end.task) ?? '';
    this.#begun.delete(end.task);
    const last = rest.replaceAll(COLOURS, '') === '' ? '' : this.#named(end.task, '\n', rest);
    const name = this.#isNamed ? this.#nameOf(end.task) : '';
    return `${last}${this.#lineEnd()}${name}${endLine(end)}`;
  }

  #newAttempt(task: string, attempt: AttemptName): string {
    const before = this.#attempts.get(task);
    this.#attempts.set(task, attempt);
    if (before === undefined || isSameAttempt(before, attempt)) return '';
    const sentence =
      before.run === attempt.run
        ? l10n.t('{0} is tried again: attempt {1}', task, attempt.attempt)
        : l10n.t('{0} is run again', task);
    return `${this.#lineEnd()}${saidLine(`── ${sentence} ──`)}`;
  }

  #named(task: string, text: string, begun = this.#begun.get(task) ?? ''): string {
    // Progress that is written over itself would write over the name.
    const lines = (begun + text.replaceAll('\r', '\n')).split('\n');
    this.#begun.set(task, lines.pop() ?? '');
    return lines.map((line) => `${this.#nameOf(task)}${line}${PLAIN}\r\n`).join('');
  }

  #nameOf(task: string): string {
    return `${NAME}${task.padEnd(this.#width)} │${PLAIN} `;
  }

  #lineEnd(): string {
    const isInLine = this.#isInLine;
    this.#isInLine = false;
    return isInLine ? '\r\n' : '';
  }
}

/** `✗ api: exit code 3 after 40 ms`. */
function endLine({ task, state, detail, exitCode }: LogEnded): string {
  const how = detail === '' ? state : detail;
  const [mark, color] = exitCode === 0 ? ['✓', GREEN] : ['✗', RED];
  const words =
    state === 'completed'
      ? l10n.t('{0} completed in {1}', task, how)
      : l10n.t('{0} {1}', task, detail === '' ? state : `${state}: ${detail}`);
  return `${color}${mark}${PLAIN} ${words}\r\n`;
}

/** Why there is nothing to see of a task; nothing where there is something, or will be at once. */
export function whyNothing({ id, state, detail }: TaskView): string | undefined {
  switch (state) {
    case 'idle':
    case 'skipped':
      return l10n.t('{0} has not run yet. What it prints is shown here when it does.', id);
    case 'blocked':
      return l10n.t('{0} cannot start: {1}', id, detail);
    case 'waiting':
    case 'ready':
    case 'interrupted':
      return detail === '' ? undefined : `${id}: ${detail}`;
    case 'claimed':
    case 'running':
    case 'attention':
    case 'completed':
    case 'failed':
    case 'cancelled':
      return undefined;
    default:
      return state satisfies never;
  }
}

/** What the terminal of a task is called while it is so. */
export function terminalName(task: string, end: LogEnded | undefined): string {
  if (end === undefined) return task;
  return `${end.exitCode === 0 ? '✓' : '✗'} ${task}`;
}

function isSameAttempt(a: AttemptName, b: AttemptName): boolean {
  return a.run === b.run && a.revision === b.revision && a.attempt === b.attempt;
}
