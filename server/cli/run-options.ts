import type { RunOptions } from '../board/run-choice.ts';
import { displayText } from '../domain/display-text.ts';
import { type HostNames, noSuchHost } from '../plans/host-problems.ts';
import { LOCAL } from '../scheduler/model/workers.ts';
import { EXIT } from './exit-code.ts';
import { OptionReader } from './options.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** What `interlock run` was asked for. A word `plan:task` names its own plan. */
export function readRunOptions(
  { words, options }: Arguments,
  known: HostNames,
): RunOptions | Refused {
  const reader = new OptionReader(options);
  const parallel = reader.number('parallel', { from: 1, digits: 4 });
  reader.notBoth('keep-going', 'fail-fast');
  if (reader.refusal !== undefined) return reader.refusal;
  const host = reader.text('on');
  const unfit = host === undefined ? undefined : unfitHost(host, words, known);
  if (unfit !== undefined) return unfit;
  return {
    plan: reader.text('plan'),
    tasks: words.map(readName),
    requestedBy: 'command line',
    parallel,
    isFailFast: options['fail-fast'] === true,
    isNew: options['new'] === true,
    ...(host !== undefined && { host }),
  };
}

function unfitHost(host: string, words: readonly string[], known: HostNames): Refused | undefined {
  if (words.length === 0) return usage(`Say which tasks are to run on "${host}".`);
  if (host === LOCAL || known.hosts.some(({ name }) => name === host)) return undefined;
  return usage(noSuchHost(displayText(host), known));
}

function usage(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}

function readName(word: string): RunOptions['tasks'][number] {
  const colon = word.lastIndexOf(':');
  return colon < 0 ? { id: word } : { id: word.slice(colon + 1), plan: word.slice(0, colon) };
}
