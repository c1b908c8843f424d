import type { RunId, WorkerId } from '../domain/ids.ts';
import { checkedSpeaker, type HolderReply, type UncheckedSpeaker } from '../engine/board-calls.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { findCaller } from '../scheduler/model/agent-identity.ts';
import { isRunner } from '../scheduler/model/workers.ts';
import { maySpeak, type Saying } from '../scheduler/requests/settle.ts';
import { saidName } from './agent-name.ts';
import { EXIT } from './exit-code.ts';
import { findTask, type TaskName } from './find-task.ts';
import { insideOf, PROOF } from '../board/inside-task.ts';
import type { BoardUse } from './open-board.ts';
import { noteInLog } from './note-in-log.ts';
import { findPastClaim } from './past-claim.ts';
import { OptionReader } from './options.ts';
import type { Refused } from './say.ts';
import { readWorker } from './worker.ts';

/** What the holder of a claim says: it goes on, or how it has ended. */
export type HolderWord = 'renew' | 'done' | 'fail' | 'release';

export interface Said {
  readonly kind: 'said';
  readonly word: HolderWord;
  readonly name: TaskName;
  readonly term: number;
  readonly says: Saying;
  /** For whoever reads the log of the task. */
  readonly message: string | undefined;
  /** Absent: as the options, the environment and the programs around this one say. */
  readonly by?: UncheckedSpeaker;
}

type Accepted = Extract<HolderReply, { kind: 'accepted' }>;

export type Heard =
  | {
      readonly kind: 'heard';
      readonly run: RunId;
      readonly reply: Accepted;
      /** Who said it; nothing where a command said it of itself. */
      readonly worker: WorkerId | undefined;
    }
  /** It was said before, and counts once. */
  | { readonly kind: 'repeated'; readonly run: RunId }
  | Refused;

type Speaking = Pick<BoardUse, 'args' | 'terminal' | 'world' | 'open' | 'takePart'>;

/** Tells the board what the holder of a claim says. */
export async function tellBoard(use: Speaking, said: Said): Promise<Heard> {
  const { terminal, world, open, takePart } = use;
  const { name, term, says } = said;
  const { keeper } = open;
  await takePart();
  const which = whichRun(use, name);
  if (typeof which !== 'string')
    return (which.code === EXIT.usage ? undefined : findRepeated(use, said)) ?? which;
  const claim = keeper.board.find(which, name.task)?.claim;
  const current = claim?.holder.term === term ? claim : undefined;
  const by = said.by ?? speakerOf(use, { said, claim: current });
  if (by.kind === 'refused') return by;
  const request = { run: which, task: name.task, term, by, says };
  const speaker = checkedSpeaker(request, open.proofs);
  // What it says goes to the log first: once it has ended, nobody may write there any more.
  if (current !== undefined && speaker !== undefined && maySpeak(current, speaker))
    note({ terminal, open, said }, { run: which, claim: current });
  const reply = await keeper.calls.say(request, world.ids.operation());
  if (reply.kind === 'stale') {
    const { losses } = keeper.board;
    const lost = losses.all.find((loss) => loss.run === which && loss.term === term);
    // Whatever it is answered says that the claim is over.
    if (lost !== undefined) await keeper.calls.told(lost.worker, [term]);
    return findRepeated(use, said) ?? staleRefusal(use, { said, run: which, reply });
  }
  if (reply.kind === 'not-holder')
    return by.kind === 'command' ? notProven(said, by.proof) : notHolder(said, reply.holder);
  const worker = by.kind === 'worker' ? by.worker : undefined;
  return { kind: 'heard', run: which, reply, worker };
}

/**
 * Who says it: inside a task, its command; else the worker of `--as` or INTERLOCK_WORKER, or the
 * agent that started this process. Without any of these, only a claim that is over is answered.
 */
function speakerOf(
  { args, terminal, open }: Speaking,
  { said, claim }: { readonly said: Said; readonly claim: Claim | undefined },
): UncheckedSpeaker | Refused {
  const inside = insideOf(terminal.env);
  const isInside = inside?.task === said.name.task && inside.term === said.term;
  const isItself = isInside && args.options['as'] === undefined;
  if (isItself && (claim === undefined || maySpeak(claim, COMMAND)))
    return inside.proof === undefined ? COMMAND : { ...COMMAND, proof: inside.proof };
  const named = saidName(args, terminal);
  const holder = claim?.holder.worker;
  if (named === undefined) {
    const marked = findCaller(open.keeper.board, { marks: terminal.callers(), session: '' });
    if (marked !== undefined) return { kind: 'worker', worker: marked };
    if (holder === undefined) return COMMAND;
    if (isRunner(holder)) return notHolder(said, holder);
    const message = `Say who you are: --as NAME, or INTERLOCK_WORKER. ${holder} has "${said.name.task}".`;
    return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
  }
  const defaultKind = holder?.startsWith('person/') === true ? 'person' : 'agent';
  const read = readWorker(new OptionReader({ as: named }), { defaultKind });
  return read.kind === 'refused' ? read : { kind: 'worker', worker: read.worker.id };
}

const COMMAND = { kind: 'command' } as const;

/** The variables of a task are set here, and whoever set them may have read them somewhere. */
function notProven({ name: { task }, term, word }: Said, proof: string | undefined): Refused {
  const why =
    proof === undefined
      ? `${PROOF} is not set here, as it is for that command since this version of Interlock`
      : `${PROOF} is not that of term ${term}`;
  const message =
    `"${task}" runs its command: only that command can say ${HOW[word]}, and ${why}. ` +
    `Let its exit code say how it ends, or end it: interlock cancel ${task}`;
  return { kind: 'refused', why: 'not-holder', message, code: EXIT.refused };
}

function notHolder({ name: { task }, term, word }: Said, holder: WorkerId): Refused {
  const message = isRunner(holder)
    ? `"${task}" runs its command: only that command can say ${HOW[word]}. To end it: interlock cancel ${task}`
    : `"${task}" is not yours: ${holder} has it with term ${term}.`;
  return { kind: 'refused', why: 'not-holder', message, code: EXIT.refused };
}

const HOW: Readonly<Record<HolderWord, string>> = {
  renew: 'that it goes on',
  done: 'that it is done',
  fail: 'that it has failed',
  release: 'that it is to be tried again later',
};

function whichRun(
  { args, open }: Pick<BoardUse, 'args' | 'open'>,
  name: TaskName,
): RunId | Refused {
  if (name.run !== undefined) return name.run;
  const found = findTask(open.keeper.board, args.folder, name);
  if (found.kind === 'found') return found.run.manifest.id;
  const message = `The claim on "${name.task}" is over: no unfinished run has such a task.`;
  return found.code === EXIT.usage ? found : { ...found, why: 'stale', message };
}

/** Whoever says the same again, for instance because the answer got lost, has said it. */
function findRepeated(
  { args, open }: Pick<BoardUse, 'args' | 'open'>,
  { name, term, word }: Said,
): Heard | undefined {
  const past = findPastClaim(open.store, { ...name, root: args.folder, term });
  if (word === 'renew' || past?.end !== word) return undefined;
  return { kind: 'repeated', run: past.run };
}

function staleRefusal(
  { args, open }: Pick<BoardUse, 'args' | 'open'>,
  {
    said: { name, term },
    run,
    reply: { currentTerm },
  }: {
    readonly said: Said;
    readonly run: RunId;
    readonly reply: Extract<HolderReply, { kind: 'stale' }>;
  },
): Refused {
  const { task } = name;
  const claim = `The claim on "${task}" with term ${term}`;
  if (currentTerm === term)
    return stale(`${claim} cannot be renewed: the task has taken longer than it may.`);
  const holder = open.keeper.board.find(run, task)?.claim?.holder;
  const isHeld = currentTerm !== undefined && holder?.term === currentTerm;
  const who = isHeld ? holder.worker : 'somebody';
  const now = currentTerm === undefined ? '' : `: ${who} has it with term ${currentTerm}`;
  return findPastClaim(open.store, { ...name, root: args.folder, term }) === undefined
    ? stale(`There was no claim on "${task}" with term ${term}${now}.`)
    : stale(`${claim} is over${now}. Whatever was done under it does not count.`);
}

function stale(message: string): Refused {
  return { kind: 'refused', why: 'stale', message, code: EXIT.refused };
}

function note(
  { terminal, open, said: { message, name } }: Pick<BoardUse, 'terminal' | 'open'> & { said: Said },
  { run, claim }: { readonly run: RunId; readonly claim: Claim },
): void {
  if (message === undefined) return;
  const { revision, attempts: attempt } = claim.entry.state.tries;
  const file = open.logFile({ run, task: name.task, revision, attempt });
  noteInLog(file, message, terminal);
}
