import { existsSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { hasPlan } from '../cli/find-folder.ts';
import { askOnce, type OneAnswer } from '../coordinator/ask-once.ts';
import { decodeHookReply } from '../keeper/plain-answers.ts';
import { parseDuration } from '../plans/quantities.ts';
import type { HookReply } from '../scheduler/requests/hook.ts';
import { callersOf } from '../system/callers.ts';
import { unstoppedMs } from '../system/clock.ts';
import {
  type BoardPlace,
  boardPathIn,
  findBoard,
  mayHaveOldBoard,
  namedFolder,
} from '../system/find-board.ts';
import { keepCompiled } from '../system/keep-compiled.ts';
import { realInTree } from '../system/real-in-tree.ts';
import { folderInTree, foldersUpFrom } from '../system/working-tree.ts';
import { freshAnswer } from './fresh-answer.ts';
import { hookDocument } from './hook-answer.ts';
import { INPUT_LIMIT, readHookCall } from './hook-input.ts';
import {
  agentId,
  type BoardCall,
  DEFAULT_FOR_MS,
  hookRequestOf,
  isOnlyShell,
  type ToldHook,
} from './hook-request.ts';

/**
 * `interlock hook` as agents run it before each write and around shell commands. An agent waits for it, and
 * what loads here takes longer than all that is done. It asks the process that decides for the board, and
 * has none of the rest of Interlock. Whatever else there is to do, such as deciding where no process does,
 * or explaining wrong options, the whole command line does.
 */

/** An agent waits for its hook. */
const PATIENCE_MS = 1500;

const { argv, env } = process;

const known = new Map<string, string | undefined>();

/** Looked up once: the folder of the board is that of most files, too. */
function realFolder(folder: string): string | undefined {
  if (!known.has(folder)) known.set(folder, namedFolder(folder, env));
  return known.get(folder);
}

async function run(keep: () => void): Promise<void> {
  const options = readOptions(argv.slice(3));
  if (options === undefined) {
    goOn();
    return;
  }
  const text = readAll();
  const call = readHookCall(text, process.cwd());
  if (call.kind === 'none') return;
  const root = realFolder(options.board ?? process.cwd());
  if (call.kind === 'unreadable' || root === undefined) {
    goOn({ text, isSilent: false });
    return;
  }
  const place = findBoard(root, env);
  const directory = boardPathIn(place) ?? (await pathOfOldBoard(place));
  if (directory === undefined) {
    // A plan without a board: the board is to be made. All that is below is not looked through for one.
    if (
      call.kind !== 'too-many' &&
      !isOnlyShell(call) &&
      foldersUpTo(root, place.tree).some(hasPlan)
    )
      goOn({ text, isSilent: false });
    return;
  }
  if (call.kind === 'too-many') {
    const { TOO_MANY_FILES } = await import('./hook-text.ts');
    writeSync(1, `${JSON.stringify(hookDocument(TOO_MANY_FILES, call))}\n`);
    return;
  }
  const inTree = folderInTree(root);
  const request = hookRequestOf(call, {
    root,
    world: { folderInTree: () => inTree, realFolder, realInTree },
    env,
    callers: () => callersOf(process.ppid),
    as: options.as,
    forMs: options.forMs,
  });
  if (request === undefined) return;
  const outcome = await freshAnswer(async () => await ask(directory, request), {
    clock: { now: unstoppedMs },
    patienceMs: PATIENCE_MS,
  });
  if (outcome?.kind === 'answered') {
    await say(call, outcome.answer);
    keep();
    // Saying goodbye to the process that decides would only take time.
    process.exit();
  }
  // Where no process decides, nothing watches what a shell command writes.
  if (!isOnlyShell(call)) goOn({ text, isSilent: outcome?.kind !== 'absent' });
}

/** The directory of a board that was made before boards were noted. */
async function pathOfOldBoard(place: BoardPlace): Promise<string | undefined> {
  if (!mayHaveOldBoard(place)) return undefined;
  const { BoardDirectory } = await import('../system/board-directory.ts');
  const directory = new BoardDirectory(place.folder, env).path;
  return existsSync(directory) ? directory : undefined;
}

/** A folder and those above it, up to the top of its working tree. */
function foldersUpTo(folder: string, top: string): readonly string[] {
  const all = foldersUpFrom(folder);
  return all.slice(0, all.indexOf(top) + 1);
}

interface Options {
  readonly as: ReturnType<typeof agentId>;
  readonly forMs: number;
  readonly board: string | undefined;
}

/** Undefined if there is anything in it that is to be explained, or refused. */
function readOptions(words: readonly string[]): Options | undefined {
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const [, name, value] = /^--(as|for|board)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (words[at] === '--strict') continue;
    const said = value ?? words[(at += 1)];
    if (name === undefined || said === undefined) return undefined;
    values.set(name, said);
  }
  const [as, duration] = [values.get('as'), values.get('for')];
  const worker = as === undefined ? undefined : agentId(as);
  const forMs = duration === undefined ? DEFAULT_FOR_MS : parseDuration(duration);
  if ((as !== undefined && worker === undefined) || forMs === undefined || forMs === 0)
    return undefined;
  return { as: worker, forMs, board: values.get('board') };
}

/** All of the input; what is more than allowed is read, as the agent waits for that, and left out. */
function readAll(): string {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const length = readSome(piece);
    if (length === 0) break;
    size += length;
    if (size <= INPUT_LIMIT) pieces.push(piece.subarray(0, length));
  }
  return size <= INPUT_LIMIT ? Buffer.concat(pieces).toString('utf8') : '';
}

const PIECE_BYTES = 64 * 1024;
const PAUSE_MS = 2;

function readSome(piece: Buffer): number {
  for (;;)
    try {
      return readSync(0, piece);
    } catch (error) {
      // Windows says so at the end of a pipe.
      if (codeOf(error) === 'EOF') return 0;
      if (!isNotReady(error)) throw error;
      pause();
    }
}

/** The agent made its pipe such that a read or a write does not wait. */
function isNotReady(error: unknown): boolean {
  return codeOf(error) === 'EAGAIN';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

async function ask(directory: string, request: ToldHook): Promise<OneAnswer<HookReply>> {
  return await askOnce({
    directory,
    name: `"interlock hook" (process ${process.pid})`,
    build: __INTERLOCK_VERSION__,
    method: 'board/hook',
    params: request,
    decode: decodeHookReply,
    timeoutMs: PATIENCE_MS,
  });
}

async function say(call: BoardCall, reply: HookReply): Promise<void> {
  if (call.kind === 'over' || reply.refused.length + reply.touched.length === 0) return;
  // Mostly there is nothing to say.
  const { answerOf } = await import('./hook-text.ts');
  const answer = answerOf(reply, call.kind);
  if (answer !== undefined) writeAll(`${JSON.stringify(hookDocument(answer, call))}\n`);
}

function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;)
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if (!isNotReady(error)) throw error;
      pause();
    }
}

/** The whole command line takes over, with what was read of the input, if that was read. */
function goOn(hook?: { readonly text: string; readonly isSilent: boolean }): void {
  keepCompiled(env);
  const whole: { readonly start: (hook?: object) => void } =
    createRequire(__filename)('./command-line.js');
  whole.start(hook);
}

/** Call `keep` when most of what a hook does was compiled. */
export function start(keep: () => void): void {
  run(keep).catch((error: unknown) => {
    // Neither stops the agent: whatever is wrong here, it goes on.
    process.stderr.write(
      `interlock hook: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
  });
}
