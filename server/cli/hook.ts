import { existsSync } from 'node:fs';
import type { OpenBoard } from '../board/ports.ts';
import { agentNamed, findByMark, saidName } from './agent-name.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { hookDocument } from './hook-answer.ts';
import { type HookCall, readHookCall } from './hook-input.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { PathChecker } from './path-check.ts';
import { pathInTree } from './path-in-tree.ts';
import { readInput } from './read-input.ts';
import { sayJson, sayRefused } from './say.ts';
import { SoftClaims } from './soft-claims.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { placesOf } from './where.ts';

/** As long as an agent's lease: it says so again with the next change. */
const DEFAULT_MS = 5 * 60_000;
/** An agent waits for its hook. */
const PATIENCE_MS = 1500;
/** The whole text of a file may be in it. */
const INPUT_LIMIT = 16 * 1024 * 1024;

type FileCall = Extract<HookCall, { kind: 'before' | 'after' }>;

interface Asked {
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly durationMs: number;
}

/** Answers an agent that is about to write files. Where nothing can be said, it may. */
export async function hook(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const durationMs = reader.durationMs('for') ?? DEFAULT_MS;
  const name = saidName(args, terminal);
  const who = name === undefined ? undefined : agentNamed(name);
  // Agents take its exit code for a refusal: whoever set this up hears of the mistake at once.
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (who?.kind === 'refused') return sayRefused(args, terminal, who);
  const text = await readInput(terminal.input, INPUT_LIMIT);
  const call = readHookCall(text ?? '', terminal.cwd);
  const asked = { args, terminal, durationMs };
  switch (call.kind) {
    case 'unreadable':
      return sayNoAnswer(asked, undefined, call.message);
    case 'none':
      return EXIT.done;
    case 'before':
    case 'after':
    case 'over':
      return await askBoard(asked, call);
    default:
      return call satisfies never;
  }
}

async function askBoard(
  asked: Asked,
  call: FileCall | Extract<HookCall, { kind: 'over' }>,
): Promise<ExitCode> {
  const { args, terminal } = asked;
  if (!isInUse(args, terminal)) return EXIT.done;
  const failures: string[] = [];
  let isStuck = false;
  const quiet = { ...terminal, err: (text: string) => void failures.push(text.trim()) };
  const silent = { ...args, isJson: false };
  try {
    const use = async (board: BoardUse): Promise<ExitCode> => {
      await inTime(board.takePart(), board.open);
      if (call.kind === 'over') await softClaimsOf(board, call.session).freeAll();
      else await answer({ ...asked, board }, call);
      return EXIT.done;
    };
    const how = { command: 'hook', carriesOn: 'recent' } as const;
    const code = await withBoard(silent, quiet, { how, use });
    if (code === EXIT.done) return code;
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
    isStuck = error instanceof NoAnswer;
  }
  const message = failures.join(' ') || 'The board cannot be asked.';
  const code = sayNoAnswer(asked, call.kind === 'before' ? call : undefined, message);
  // Whoever does not answer is not waited for at the end either.
  if (isStuck) terminal.abort(code);
  return code;
}

/** Where nobody has ever used a board and there is no plan, nothing is made for the sake of a hook. */
function isInUse({ folder }: Arguments, terminal: Terminal): boolean {
  if (existsSync(placesOf(folder, terminal.env).database)) return true;
  return terminal.world('hook').files.list(folder).length > 0;
}

async function answer(
  { terminal, durationMs, board }: Asked & { readonly board: BoardUse },
  call: FileCall,
): Promise<void> {
  const paths = call.files.flatMap((file) => pathInTree(board, file) ?? []);
  const claims = softClaimsOf(board, call.session);
  const checker = new PathChecker(board, claims.worker);
  const refusals: string[] = [];
  for (const each of paths) {
    const { mayWrite, sentences, advice } = checker.check(each);
    const isHeld = mayWrite && (await inTime(claims.take(each, durationMs), board.open)) === 'held';
    // Somebody was quicker.
    const now = isHeld ? checker.check(each) : { mayWrite, sentences, advice };
    if (!now.mayWrite) refusals.push([...now.sentences, now.advice].join(' '));
  }
  if (refusals.length === 0) return;
  const kind = call.kind === 'before' ? 'refuse' : 'tell';
  sayJson(terminal, hookDocument({ kind, reason: refusals.join('\n') }, call.dialect));
}

/** Whoever has tools at this board is the same worker; else a session is a worker of its own. */
function softClaimsOf(board: BoardUse, session: string): SoftClaims {
  const { args, terminal, open, world } = board;
  const said = saidName(args, terminal);
  const read = agentNamed(said ?? `session-${world.hash(session).slice(0, 8)}`);
  const found = said === undefined ? findByMark(open.keeper.board, terminal.callers()) : undefined;
  const worker = found ?? (read.kind === 'worker' ? read.worker.id : undefined);
  if (worker === undefined) throw new RangeError(`no worker is called "${said}"`);
  return new SoftClaims(board, {
    worker,
    session: world.hash(`${worker}\n${session}`).slice(0, 16),
  });
}

/** Somebody who does not answer never holds an agent up for longer. */
async function inTime<T>(work: Promise<T>, { alarm }: OpenBoard): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const due = alarm.after(PATIENCE_MS, () => reject(new NoAnswer()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    due[Symbol.dispose]();
  }
}

class NoAnswer extends Error {
  constructor() {
    super(`Whoever decides for the board has not answered within ${PATIENCE_MS} ms.`);
    this.name = 'NoAnswer';
  }
}

/** Whatever is wrong with the board, the agent goes on, unless the user wants it otherwise. */
function sayNoAnswer(
  { args, terminal }: Asked,
  call: FileCall | undefined,
  message: string,
): ExitCode {
  if (args.options['strict'] === true && call !== undefined) {
    const reason = `${message} Interlock is set to refuse to write where it cannot ask who is at work on a file (--strict).`;
    sayJson(terminal, hookDocument({ kind: 'refuse', reason }, call.dialect));
    return EXIT.done;
  }
  terminal.err(`interlock hook: ${message} It is not known who else is at work on this file.\n`);
  return EXIT.done;
}
