import { editorWindow } from '../board/window.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { ClaimReply } from '../engine/board-calls.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { terminalNamed, type Worker } from '../scheduler/model/workers.ts';
import { claimRefusal } from './claim-text.ts';
import { type CommandDefinition, flag, NEEDS, option, WHICH } from './command-definition.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { readTaskName, type TaskName } from './find-task.ts';
import { HeldTerminal } from './held-terminal.ts';
import { findLiveTask } from './not-running.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { type Refused, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

export const TERMINAL_COMMAND: CommandDefinition = {
  usage: 'terminal TASK [--as NAME] [--needs A,B] [--plan FILE] [--run RUN] [--attempt N] [--stay]',
  wordLimit: 1,
  wordMinimum: 1,
  does: 'Takes a task of "in: terminal" and runs it in this terminal.',
  options: {
    as: option('NAME', 'who you are; default: as the system calls you'),
    needs: NEEDS,
    attempt: option('N', 'only if this is its next attempt'),
    stay: flag('waits for a key at the end, and ends with code 0'),
    ...WHICH,
  },
  examples: ['terminal play'],
  exits: {
    [EXIT.failed]: 'its command failed',
    [EXIT.usage]: 'wrong usage, or no such task',
    [EXIT.refused]: 'held, blocked, ended, or not for a terminal',
    [EXIT.interrupted]: 'Ctrl-C before it began',
  },
  perform: inTerminal,
};

/**
 * Takes a task that runs in a terminal, and runs it in this one. Whoever opened the terminal may go:
 * this process keeps the lease, and when it dies the lease ends.
 */
async function inTerminal(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const asked = readAsked(args);
  if (asked.kind === 'refused') return sayRefused(args, terminal, asked);
  const held = new HeldTerminal(terminal);
  const how = {
    command: 'terminal',
    carriesOn: 'recent',
    changed: (entries: readonly LedgerEntry[]) => held.look(entries),
  } as const;
  const use = async (board: BoardUse): Promise<ExitCode> => take(board, { asked, held });
  const code = await withBoard(args, terminal, { how, use });
  if (args.options['stay'] !== true) return code;
  if (held.hasRun) await held.untilSeen();
  // Whoever opened this terminal reads the board, and would warn of any other code.
  return EXIT.done;
}

interface Asked {
  readonly kind: 'asked';
  readonly name: TaskName;
  readonly as: string | undefined;
  readonly needs: readonly string[];
  /** Only if this is the next one. */
  readonly attempt: number | undefined;
}

function readAsked({ words, options, isJson }: Arguments): Asked | Refused {
  if (isJson) return NO_DOCUMENT;
  const reader = new OptionReader(options);
  const attempt = reader.number('attempt', { from: 1, digits: 15 });
  if (reader.refusal !== undefined) return reader.refusal;
  const name = readTaskName(words[0] ?? '', options);
  if (name.kind === 'refused') return name;
  return { kind: 'asked', name, as: reader.text('as'), needs: reader.names('needs'), attempt };
}

/** The output is that of the command. */
const NO_DOCUMENT: Refused = {
  kind: 'refused',
  why: 'usage',
  message: 'What runs in a terminal writes there what it likes. Leave out --json.',
  code: EXIT.usage,
};

async function take(
  use: BoardUse,
  { asked, held }: { readonly asked: Asked; readonly held: HeldTerminal },
): Promise<ExitCode> {
  const { args, terminal, world, open, takePart } = use;
  await takePart();
  const { name } = asked;
  const found = findLiveTask(use, name, `"interlock run ${name.task}" asks for it.`);
  if (found.kind === 'refused') return sayRefused(args, terminal, found);
  const { entry } = found;
  const attempt = entry.state.tries.attempts + 1;
  if (asked.attempt !== undefined && asked.attempt !== attempt)
    return sayRefused(args, terminal, earlier(name.task, asked.attempt));
  const worker = workerFor(use, asked);
  if (worker === undefined) return sayRefused(args, terminal, noName(asked.as));
  const task = { run: entry.run.manifest.id, task: entry.id };
  const reply = await open.keeper.calls.claim({ worker, task, operation: world.ids.operation() });
  if (reply.kind !== 'granted')
    return sayRefused(args, terminal, refusalOf(reply, { entry, worker, use }));
  const { grant } = reply;
  const launch = launchOf(entry, grant);
  const code = await held.run(use, { worker: worker.id, grant, launch });
  await open.keeper.calls.leave(worker.id);
  return code;
}

function workerFor({ args, world, open }: BoardUse, { as, needs }: Asked): Worker | undefined {
  const { person, id: window } = editorWindow(world, as);
  const id = terminalNamed(person, window);
  const since = open.clock.now();
  return (
    id && { id, kind: 'terminal', capabilities: needs, root: args.folder, isIdle: false, since }
  );
}

function launchOf(
  { definition, run: { manifest }, state }: TaskEntry,
  { run, term }: { readonly run: RunId; readonly term: number },
): Parameters<HeldTerminal['run']>[1]['launch'] {
  const { revision, attempts } = state.tries;
  const isClaimed = state.kind === 'claimed' && state.term === term;
  const attempt = isClaimed ? attempts : attempts + 1;
  return { place: 'local', root: manifest.root, definition, run, revision, attempt, term };
}

function refusalOf(
  reply: Exclude<ClaimReply, { kind: 'granted' }>,
  { entry, worker, use }: { entry: TaskEntry; worker: Worker; use: BoardUse },
): Refused {
  return claimRefusal(reply, { worker: worker.id, task: entry.id, now: use.open.clock.now() });
}

function earlier(task: TaskId, attempt: number): Refused {
  const message = `This terminal was opened for attempt ${attempt} of "${task}", which is over.`;
  return { kind: 'refused', why: 'stale', message, code: EXIT.refused };
}

function noName(name = ''): Refused {
  const message = `"${name}" cannot be the name of a person.`;
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
