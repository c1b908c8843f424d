import { Board } from '../board/board.ts';
import { displayLine } from '../domain/display-text.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';
import { workerName } from '../scheduler/predicate/explain.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPlan } from './no-plan.ts';
import { lookAsIfDeciding } from './open-board.ts';
import { paint, paintState } from './paint.ts';
import { errLine, sayJson, sayRefused } from './say.ts';
import { statusModel, type StatusModel, type TakenRow } from './status-model.ts';
import type { Arguments, Screen, Terminal } from './terminal.ts';
import { Watching } from './watching.ts';

export async function status(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const isWatching = args.options['watch'] === true;
  if (isWatching && args.isJson) return sayRefused(args, terminal, NO_STREAM);
  let watching: Watching | undefined;
  const listener = {
    changed: () => watching?.changed(),
    failed: (message: string) => errLine(terminal, message),
  };
  const world = terminal.world('status');
  const board = new Board(args.folder, world, { isTrusted: false, carriesOn: 'none', listener });
  try {
    board.load();
    if (board.plans.all.length === 0) return sayRefused(args, terminal, noPlan(args.folder));
    const { opened: open } = board;
    if (open !== undefined) lookAsIfDeciding(open);
    const textNow = (): string => {
      const now = open?.clock.now();
      return statusText(statusModel(board, open), { screen: terminal.screen, now });
    };
    if (isWatching && open !== undefined) {
      watching = new Watching(terminal, open.alarm, textNow);
      return await watching.untilInterrupted();
    }
    if (args.isJson) sayJson(terminal, statusModel(board, open));
    else terminal.out(textNow());
    return open === undefined ? EXIT.unavailable : EXIT.done;
  } finally {
    watching?.[Symbol.dispose]();
    await board.close();
  }
}

const NO_STREAM = {
  kind: 'refused',
  why: 'usage',
  message:
    '--watch shows the status again and again, and --json is one document. Leave out one of the two.',
  code: EXIT.usage,
} as const;

interface Seen {
  readonly screen: Screen | undefined;
  readonly now: Instant | undefined;
}

/** Runs and who decides come first, and only where there is something to say. */
function statusText({ board, runs, tasks, taken }: StatusModel, { screen, now }: Seen): string {
  const lines: string[] = [];
  for (const { id, plan, status: how, counts, requestedAt } of runs) {
    const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
    const since =
      now === undefined ? '' : `, ${formatDuration(Math.max(0, now - requestedAt))} old`;
    lines.push(displayLine(`Run ${id} of ${plan}${HOW[how]}: ${kinds.join(', ')}${since}`));
  }
  if (board.isPaused)
    lines.push(paint(screen, 'yellow', 'Everything is paused: "interlock resume" lets it go on.'));
  if (board.load !== 'normal') lines.push(`The load is ${board.load}.`);
  for (const worker of board.drained ?? [])
    lines.push(
      displayLine(`${capitalized(workerName(worker))} is drained: it is given nothing new.`),
    );
  if (board.decider !== null) lines.push(displayLine(`${capitalized(board.decider)} decides.`));
  else if (runs.length > 0) lines.push(ofNobody(runs));
  if (tasks.length === 0) lines.push('No plan here has a task: "interlock check" says more.');
  const width = Math.max(0, ...tasks.map(({ id }) => id.length));
  for (const { id, state, detail } of tasks) {
    const word = detail === '' ? state : state.padEnd(11);
    lines.push(
      `${id.padEnd(width)}  ${paintState(screen, state, word)}${detail === '' ? '' : `  ${displayLine(detail)}`}`,
    );
  }
  for (const row of taken) lines.push(takenText(row, now));
  return lines.map((line) => `${line}\n`).join('');
}

function takenText(
  { worker, reads, writes, isUnsaved, until, asked }: TakenRow,
  now?: Instant,
): string {
  const who = withoutWindow(worker);
  const what = [...writes, ...reads].join(', ');
  const left =
    until === undefined || now === undefined ? '' : `, for ${formatDuration(until - now)} more`;
  const wish = asked.map((ask) => `; ${withoutWindow(ask.worker)} asks for ${ask.path}`).join('');
  return displayLine(`${who} ${isUnsaved ? 'is editing' : 'has taken'} ${what}${left}${wish}`);
}

function ofNobody(runs: StatusModel['runs']): string {
  return runs.every(({ status: how }) => how === 'stopping')
    ? 'Nobody decides now: the next command that does finishes the stop.'
    : 'Nobody decides now: "interlock run" carries it on.';
}

const HOW = {
  active: '',
  stopping: ', which is being stopped',
  interrupted: ', interrupted',
} as const;

/** It may begin with a quotation mark. */
function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
