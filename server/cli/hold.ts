import { parseRunId, type RunId } from '../domain/ids.ts';
import { formatDuration } from '../domain/time.ts';
import type { HolderReply } from '../engine/board-calls.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, readTaskName, type TaskName } from './find-task.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { noteInLog } from './note-in-log.ts';
import { OptionReader } from './options.ts';
import { findPastClaim } from './past-claim.ts';
import { type Refused, sayJson, sayRefused } from './say.ts';
import { askedSentences } from './asked-text.ts';
import type { Arguments, Perform, Terminal } from './terminal.ts';

type Word = 'renew' | 'done' | 'fail' | 'release';

/** What the holder of a claim says: it goes on, or how it has ended. */
export function holderCommand(word: Word): Perform {
  return async (args, terminal) => {
    const said = readSaid(word, args, terminal);
    if (said.kind === 'refused') return sayRefused(args, terminal, said);
    const how = { command: word, carriesOn: 'recent' } as const;
    return await withBoard(args, terminal, { how, use: async (use) => tell(use, said) });
  };
}

interface Said {
  readonly kind: 'said';
  readonly word: Word;
  readonly name: TaskName;
  readonly term: number;
  readonly says: Saying;
  /** For whoever reads the log of the task. */
  readonly message: string | undefined;
}

function readSaid(word: Word, { words, options }: Arguments, { env }: Terminal): Said | Refused {
  const reader = new OptionReader(options);
  // Inside a task it is about that task, unless it says otherwise.
  const inside = words[0] === undefined || words[0] === env['INTERLOCK_TASK'] ? env : {};
  const task = words[0] ?? env['INTERLOCK_TASK'];
  const term = reader.number('term', { from: 1, digits: 15 }) ?? Number(inside['INTERLOCK_TERM']);
  const says = sayingOf(word, reader);
  if (reader.refusal !== undefined) return reader.refusal;
  if (task === undefined) return wrong(`Name the task: interlock ${word} TASK --term N`);
  const name = readTaskName(task, options);
  if (name.kind === 'refused') return name;
  if (!Number.isSafeInteger(term))
    return wrong(`Say which claim it is, as "interlock claim" printed it: --term N`);
  const run = name.run ?? parseRunId(inside['INTERLOCK_RUN'] ?? '');
  return {
    kind: 'said',
    word,
    name: { ...name, run },
    term,
    says,
    message: messageIn(reader),
  };
}

/** Nobody reads more of it. */
const MESSAGE_LIMIT = 64 * 1024;

function messageIn(reader: OptionReader): string | undefined {
  return reader.text('message')?.slice(0, MESSAGE_LIMIT).toWellFormed();
}

function sayingOf(word: Word, reader: OptionReader): Saying {
  switch (word) {
    case 'renew': {
      const leaseMs = reader.durationMs('lease');
      return leaseMs === undefined ? { kind: 'renew' } : { kind: 'renew', leaseMs };
    }
    case 'done':
      return { kind: 'completed' };
    case 'fail': {
      const code = reader.number('exit-code', { from: 1, digits: 3 }) ?? 1;
      const failure = { kind: 'exit', code } as const;
      const message = messageIn(reader);
      return { kind: 'failed', failure: message === undefined ? failure : { ...failure, message } };
    }
    case 'release':
      return { kind: 'released', reason: 'released' };
    default:
      return word satisfies never;
  }
}

async function tell(use: BoardUse, said: Said): Promise<ExitCode> {
  const { args, terminal, world, open, takePart } = use;
  const { name, term, says, word } = said;
  const { keeper } = open;
  await takePart();
  const which = whichRun({ args, open }, name);
  if (typeof which !== 'string') {
    const wasOver = which.code === EXIT.usage ? undefined : sayRepeated(use, said);
    return wasOver ?? sayRefused(args, terminal, which);
  }
  const claim = keeper.board.find(which, name.task)?.claim;
  // What it says goes to the log first: once it has ended, nobody may write there any more.
  if (claim?.holder.term === term) note({ terminal, open, said }, { run: which, claim });
  const request = { run: which, task: name.task, term, says };
  const reply = await keeper.calls.say(request, world.ids.operation());
  if (reply.kind === 'stale')
    return (
      sayRepeated(use, said) ??
      sayRefused(args, terminal, staleRefusal(use, { said, run: which, reply }))
    );
  // Whoever comes back for more says so again.
  if (
    word !== 'renew' &&
    claim !== undefined &&
    keeper.board.claims.holdsNothing(claim.holder.worker)
  )
    await keeper.calls.leave(claim.holder.worker);
  if (args.isJson) sayJson(terminal, { run: which, task: name.task, term, ...reply });
  else terminal.out(acceptedText(said, reply));
  return EXIT.done;
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
function sayRepeated(
  { args, terminal, open }: BoardUse,
  { name, term, word }: Said,
): ExitCode | undefined {
  const past = findPastClaim(open.store, { ...name, root: args.folder, term });
  if (word === 'renew' || past?.end !== word) return undefined;
  const document = { run: past.run, task: name.task, term, kind: 'accepted', isRepeated: true };
  if (args.isJson) sayJson(terminal, document);
  else terminal.out(`"${name.task}" ${REPEATED[word]} already.\n`);
  return EXIT.done;
}

const REPEATED = { done: 'is completed', fail: 'has failed', release: 'is given back' } as const;

function staleRefusal(
  { args, open }: BoardUse,
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

function acceptedText(
  { word, name: { task } }: Said,
  { remainingMs, asked }: Extract<HolderReply, { kind: 'accepted' }>,
): string {
  switch (word) {
    case 'renew': {
      const howLong =
        remainingMs === undefined
          ? `"${task}" is yours until you release it.`
          : `"${task}" is yours for ${formatDuration(remainingMs)}.`;
      return [howLong, ...askedSentences(asked)].map((line) => `${line}\n`).join('');
    }
    case 'done':
      return `"${task}" is completed.\n`;
    case 'fail':
      return `"${task}" has failed.\n`;
    case 'release':
      return `"${task}" is given back.\n`;
    default:
      return word satisfies never;
  }
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

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
