import { existsSync } from 'node:fs';
import { freshAnswer } from '../hook/fresh-answer.ts';
import { hookDocument } from '../hook/hook-answer.ts';
import { INPUT_LIMIT, readHookCall } from '../hook/hook-input.ts';
import {
  agentId,
  type BoardCall,
  DEFAULT_FOR_MS,
  hookRequestOf,
  isOnlyShell,
  type ToldHook,
} from '../hook/hook-request.ts';
import { answerOf, TOO_MANY_FILES } from '../hook/hook-text.ts';
import type { OpenBoard } from '../board/ports.ts';
import { checkedHook } from '../engine/board-calls.ts';
import { answerHook, type HookReply } from '../scheduler/requests/hook.ts';
import { agentNamed } from './agent-name.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { readInput } from './read-input.ts';
import { errLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { placesOf } from './where.ts';

/** An agent waits for its hook. */
const PATIENCE_MS = 1500;

interface Asked {
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly call: BoardCall;
  readonly forMs: number;
}

/**
 * Answers an agent that is about to write files, in all the cases that the small program of `server/hook/`
 * leaves to it: no process decides, or the one that does is silent, or there is something to explain.
 */
export async function hook(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const forMs = reader.durationMs('for') ?? DEFAULT_FOR_MS;
  const as = reader.text('as');
  const named = as === undefined ? undefined : agentNamed(as);
  // Agents take its exit code for a refusal: the user hears of the mistake at once.
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (named?.kind === 'refused') return sayRefused(args, terminal, named);
  const text = terminal.hook?.text ?? (await readInput(terminal.input, INPUT_LIMIT));
  if (text === undefined || text === '') return sayNoAnswer({ args, terminal }, NO_INPUT);
  const call = readHookCall(text, terminal.cwd);
  if (call.kind === 'none') return EXIT.done;
  if (call.kind === 'unreadable') return sayNoAnswer({ args, terminal }, call.message);
  if (call.kind === 'too-many') {
    if (isInUse(args, terminal)) sayJson(terminal, hookDocument(TOO_MANY_FILES, call));
    return EXIT.done;
  }
  // Without a process that decides, which the small program has looked for, nothing watches a shell command.
  if (isOnlyShell(call) || !isInUse(args, terminal)) return EXIT.done;
  return await askBoard({ args, terminal, call, forMs });
}

/** Where nobody has ever used a board and there is no plan, nothing is made for the sake of a hook. */
function isInUse({ folder }: Arguments, terminal: Terminal): boolean {
  if (existsSync(placesOf(folder, terminal.env).database)) return true;
  return terminal.world('hook').files.list(folder).length > 0;
}

async function askBoard(asked: Asked): Promise<ExitCode> {
  const { args, terminal } = asked;
  const failures: string[] = [];
  const quiet = { ...terminal, err: (text: string) => void failures.push(text.trim()) };
  try {
    const use = async (board: BoardUse): Promise<ExitCode> => {
      const request = requestOf(asked, board);
      if (request !== undefined) await answer(asked, board, request);
      return EXIT.done;
    };
    const how = { command: 'hook', carriesOn: 'recent' } as const;
    const code = await withBoard({ ...args, isJson: false }, quiet, { how, use });
    if (code === EXIT.done) return code;
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  return sayNoAnswer(asked, failures.join(' ') || 'The board cannot be asked.');
}

async function answer(asked: Asked, board: BoardUse, request: ToldHook): Promise<void> {
  const { terminal } = asked;
  const reply = terminal.hook?.isSilent === true ? undefined : await ask(board, request);
  if (reply !== undefined) {
    say(asked, reply);
    return;
  }
  if (!say(asked, answerFromStore(board, request))) sayNoAnswer(asked, NO_ANSWER);
  // A process that does not answer is not waited for at the end either.
  terminal.abort(EXIT.done);
}

const NO_INPUT = 'The hook was told nothing, or more than 16 MiB.';
const NO_ANSWER = `The process that decides for the board has not answered within ${PATIENCE_MS} ms.`;

/** Answers whether there was anything to say. */
function say({ terminal, call }: Asked, reply: HookReply): boolean {
  const said = call.kind === 'over' ? undefined : answerOf(reply, call.kind);
  if (said === undefined || call.kind === 'over') return false;
  sayJson(terminal, hookDocument(said, call));
  return true;
}

function requestOf(
  { args, terminal, call, forMs }: Asked,
  { world }: BoardUse,
): ToldHook | undefined {
  const { env } = terminal;
  const callers = (): readonly string[] => terminal.callers();
  const as = agentId(String(args.options['as'] ?? ''));
  return hookRequestOf(call, { root: args.folder, world, env, callers, as, forMs });
}

/** Undefined: the process that decides is silent. */
async function ask(
  { open, takePart }: BoardUse,
  request: ToldHook,
): Promise<HookReply | undefined> {
  return await freshAnswer(
    async () =>
      await inTime(async () => {
        await takePart();
        return await open.keeper.calls.hook(request);
      }, open),
    { clock: open.clock, patienceMs: PATIENCE_MS },
  );
}

/**
 * What was written before the process that decides fell silent holds until another one decides: nobody else
 * can get any of it. A file that nobody has cannot become the agent's own now.
 */
function answerFromStore({ open }: BoardUse, request: ToldHook): HookReply {
  const { keeper, clock, proofs } = open;
  return answerHook(keeper.board, checkedHook(request, proofs), clock.now()).reply;
}

/** A process that does not answer never holds an agent up for longer. */
async function inTime<T>(work: () => Promise<T>, { alarm }: OpenBoard): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const due = alarm.after(PATIENCE_MS, () => resolve(undefined));
  try {
    return await Promise.race([work(), promise]);
  } finally {
    due[Symbol.dispose]();
  }
}

/** Whatever is wrong with the board, the agent goes on, unless the user wants it otherwise. */
function sayNoAnswer(
  { args, terminal, call }: Pick<Asked, 'args' | 'terminal'> & Partial<Pick<Asked, 'call'>>,
  message: string,
): ExitCode {
  if (args.options['strict'] === true && call?.kind === 'before') {
    const reason = `${message} Interlock is set to refuse to write where it cannot ask who is at work on a file (--strict).`;
    sayJson(terminal, hookDocument({ kind: 'refuse', reason }, call));
    return EXIT.done;
  }
  errLine(terminal, `interlock hook: ${message} It is not known who else is at work on this file.`);
  // How the agent wants to be answered is not known where nothing could be read; 2 is a refusal for all.
  return args.options['strict'] === true && call === undefined ? EXIT.usage : EXIT.done;
}
