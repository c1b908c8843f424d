import { parseRunId } from '../domain/ids.ts';
import { formatDuration } from '../domain/time.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { readTaskName } from './find-task.ts';
import { type Heard, type HolderWord, type Said, tellBoard } from './holding.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { type Refused, sayJson, sayRefused } from './say.ts';
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
    else if (word !== 'renew') terminal.out(`"${name.task}" ${REPEATED[word]} already.\n`);
    return EXIT.done;
  }
  const { worker, reply } = heard;
  // Whoever comes back for more says so again.
  if (word !== 'renew' && worker !== undefined && open.keeper.board.claims.holdsNothing(worker))
    await open.keeper.calls.leave(worker);
  if (args.isJson) sayJson(terminal, { ...document, ...reply });
  else terminal.out(acceptedText(said, reply));
  return EXIT.done;
}

const REPEATED = { done: 'is completed', fail: 'has failed', release: 'is released' } as const;

function acceptedText(
  { word, name: { task } }: Said,
  { remainingMs, asked }: Extract<Heard, { kind: 'heard' }>['reply'],
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
      return `"${task}" is released.\n`;
    default:
      return word satisfies never;
  }
}

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
