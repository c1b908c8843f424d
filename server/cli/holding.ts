import type { RunId, WorkerId } from '../domain/ids.ts';
import type { HolderReply } from '../engine/board-calls.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import { EXIT } from './exit-code.ts';
import { findTask, type TaskName } from './find-task.ts';
import type { BoardUse } from './open-board.ts';
import { noteInLog } from './note-in-log.ts';
import { findPastClaim } from './past-claim.ts';
import type { Refused } from './say.ts';

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
}

type Accepted = Extract<HolderReply, { kind: 'accepted' }>;

export type Heard =
  | {
      readonly kind: 'heard';
      readonly run: RunId;
      readonly reply: Accepted;
      /** Who had the claim when it was said. */
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
  // What it says goes to the log first: once it has ended, nobody may write there any more.
  if (claim?.holder.term === term) note({ terminal, open, said }, { run: which, claim });
  const request = { run: which, task: name.task, term, says };
  const reply = await keeper.calls.say(request, world.ids.operation());
  if (reply.kind === 'stale')
    return findRepeated(use, said) ?? staleRefusal(use, { said, run: which, reply });
  return { kind: 'heard', run: which, reply, worker: claim?.holder.worker };
}

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
