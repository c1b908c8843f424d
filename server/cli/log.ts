import { existsSync } from 'node:fs';
import type { OpenBoard } from '../board/ports.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findAttempt, refuseLog, type TriedTask } from './find-attempt.ts';
import { readTaskName, type TaskName } from './find-task.ts';
import { followLog } from './log-follow.ts';
import { LogText } from '../domain/log-text.ts';
import { findNewestLog } from './newest-log.ts';
import { noPlan, whyUnknown } from './no-plan.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { errLine, type Refused, sayJson, sayRefused } from './say.ts';
import { tailOf } from './tail.ts';
import type { Arguments, Terminal } from './terminal.ts';

const JSON_TAIL = { lineCount: 10_000, byteCount: 1024 * 1024 };

export async function log(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { words, options, isJson } = args;
  const reader = new OptionReader(options);
  const attempt = reader.number('attempt', { from: 1, digits: 4 });
  const tail = reader.number('tail', { from: 1, digits: 6 });
  const [word] = words;
  const name = word === undefined ? undefined : readTaskName(word, options);
  const isFollowing = options['follow'] === true;
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (name?.kind === 'refused') return sayRefused(args, terminal, name);
  if (isFollowing && isJson) return sayRefused(args, terminal, NO_STREAM);
  if (isFollowing && tail !== undefined) return sayRefused(args, terminal, NO_END);
  let changed: ((entries: readonly LedgerEntry[]) => void) | undefined;
  const how = { command: 'log', changed: (entries: readonly LedgerEntry[]) => changed?.(entries) };
  const use = async ({ board, open }: BoardUse): Promise<ExitCode> => {
    board.load();
    const found = name ? findAttempt(open, args.folder, name) : findNewestLog(open, args);
    if (found.kind === 'refused') return sayRefused(args, terminal, explain(found, board, name));
    if (name === undefined && !isJson) errLine(terminal, `${found.task}, run ${found.run}:`);
    if (isFollowing) {
      const listen = (listener: () => void): void => {
        changed = listener;
      };
      return await followLog({ open, terminal, listen }, found);
    }
    const which = { ...found, attempt: attempt ?? found.attempt };
    return await print({ args, terminal, open, tail }, which);
  };
  return await withBoard(args, terminal, { how, use });
}

const NO_STREAM = {
  kind: 'refused',
  why: 'usage',
  message:
    '--follow goes on as long as the task does, and --json is one document. Leave out one of the two.',
  code: EXIT.usage,
} as const;

const NO_END = {
  kind: 'refused',
  why: 'usage',
  message:
    '--tail shows the end as it is now, and --follow all that comes. Leave out one of the two.',
  code: EXIT.usage,
} as const;

/** A task that nobody has run may not even exist. */
function explain(
  found: Refused,
  { root, plans }: BoardUse['board'],
  name: TaskName | undefined,
): Refused {
  if (found.code === EXIT.usage || name?.run !== undefined) return found;
  if (name === undefined) return plans.all.length === 0 ? noPlan(root) : found;
  return whyUnknown({ folder: root, plans, name }) ?? found;
}

interface Place {
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly open: OpenBoard;
  /** Only so many lines. */
  readonly tail: number | undefined;
}

/** To a file or a program byte for byte; never the whole of it in memory. */
async function print({ args, terminal, open, tail }: Place, tried: TriedTask): Promise<ExitCode> {
  const { kind: _, ...which } = tried;
  const file = open.logFile(which);
  if (!existsSync(file)) {
    const message = `"${tried.task}" has no output of attempt ${tried.attempt}.`;
    return sayRefused(args, terminal, refuseLog(message, EXIT.refused));
  }
  if (args.isJson) {
    const lineCount = tail ?? JSON_TAIL.lineCount;
    const end = { ...JSON_TAIL, lineCount, hasColors: false };
    sayJson(terminal, { ...which, file, text: tailOf(file, end) });
    return EXIT.done;
  }
  if (tail !== undefined) {
    const hasColors = terminal.screen?.hasColours === true;
    terminal.out(`${tailOf(file, { ...JSON_TAIL, lineCount: tail, hasColors })}\n`);
    return EXIT.done;
  }
  const text = terminal.screen === undefined ? undefined : new LogText();
  let isUnread = false;
  terminal.onUnread(() => (isUnread = true));
  for await (const piece of open.readLog(file)) {
    if (isUnread) return EXIT.done;
    terminal.out(text === undefined ? piece : text.take(piece));
  }
  if (text !== undefined) terminal.out(text.end());
  return EXIT.done;
}
