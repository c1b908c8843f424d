import { formatDuration } from '../domain/time.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { readTaskName } from './find-task.ts';
import { type Heard, type HolderWord, type Said, tellBoard } from './holding.ts';
import { insideOf } from '../board/inside-task.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { outLine, type Refused, sayJson, sayRefused } from './say.ts';
import { askedSentences } from './asked-text.ts';
import type { Arguments, Perform, Terminal } from './terminal.ts';

/** What the holder of a claim says: it goes on, or how it has ended. */
export function holderCommand(word: HolderWord): Perform {
  return async (args, terminal) => {
    const said = readSaid(word, args, terminal);
    if (said.kind === 'refused') return sayRefused(args, terminal, said);
    const how = { command: word, carriesOn: 'recent' } as const;
    return await withBoard(args, terminal, { how, use: async (use) => tell(use, said) });
  };
}

function readSaid(
  word: HolderWord,
  { words, options }: Arguments,
  { env }: Terminal,
): Said | Refused {
  const reader = new OptionReader(options);
  // Inside a task it is about that task, unless it says otherwise.
  const around = insideOf(env);
  const inside = words[0] === undefined || words[0] === around?.task ? around : undefined;
  const task = words[0] ?? around?.task;
  const term = reader.number('term', { from: 1, digits: 15 }) ?? inside?.term ?? Number.NaN;
  const says = sayingOf(word, reader);
  if (reader.refusal !== undefined) return reader.refusal;
  if (task === undefined) return wrong(`Name the task: interlock ${word} TASK --term N`);
  const name = readTaskName(task, options);
  if (name.kind === 'refused') return name;
  if (!Number.isSafeInteger(term))
    return wrong(`Say which claim it is, as "interlock claim" printed it: --term N`);
  const run = name.run ?? inside?.run;
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

function sayingOf(word: HolderWord, reader: OptionReader): Saying {
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
  const { args, terminal, open } = use;
  const heard = await tellBoard(use, said);
  if (heard.kind === 'refused') return sayRefused(args, terminal, heard);
  const { name, term, word } = said;
  const document = { run: heard.run, task: name.task, term };
  if (heard.kind === 'repeated') {
    if (args.isJson) sayJson(terminal, { ...document, kind: 'accepted', isRepeated: true });
    else if (word !== 'renew') outLine(terminal, `"${name.task}" ${REPEATED[word]} already.`);
    return EXIT.done;
  }
  const { worker, reply } = heard;
  // Whoever comes back for more says so again.
  if (word !== 'renew' && worker !== undefined && open.keeper.board.claims.holdsNothing(worker))
    await open.keeper.calls.leave(worker);
  if (args.isJson) sayJson(terminal, { ...document, ...reply });
  else for (const line of acceptedLines(said, reply)) outLine(terminal, line);
  return EXIT.done;
}

const REPEATED = { done: 'is completed', fail: 'has failed', release: 'is released' } as const;

function acceptedLines(
  { word, name: { task } }: Said,
  { remainingMs, asked, isAnnounced }: Extract<Heard, { kind: 'heard' }>['reply'],
): readonly string[] {
  if (isAnnounced === true && word !== 'renew') return [`"${task}" ${ANNOUNCED[word]}`];
  switch (word) {
    case 'renew': {
      const howLong =
        remainingMs === undefined
          ? `"${task}" is yours until you release it.`
          : `"${task}" is yours for ${formatDuration(remainingMs)}.`;
      return [howLong, ...askedSentences(asked)];
    }
    case 'done':
      return [`"${task}" is completed.`];
    case 'fail':
      return [`"${task}" has failed.`];
    case 'release':
      return [`"${task}" is released.`];
    default:
      return word satisfies never;
  }
}

const ANNOUNCED = {
  done: 'is completed when its command ends with exit code 0.',
  fail: 'has failed when its command ends.',
  release: 'is tried again later, when its command has ended.',
} as const;

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
