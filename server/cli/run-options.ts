import type { RunOptions } from '../board/run-choice.ts';
import { OptionReader } from './options.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** What `interlock run` was asked for. A word `plan:task` names its own plan. */
export function readRunOptions({ words, options }: Arguments): RunOptions | Refused {
  const reader = new OptionReader(options);
  const parallel = reader.number('parallel', { from: 1, digits: 4 });
  reader.notBoth('keep-going', 'fail-fast');
  if (reader.refusal !== undefined) return reader.refusal;
  return {
    plan: reader.text('plan'),
    tasks: words.map(readName),
    requestedBy: 'command line',
    parallel,
    isFailFast: options['fail-fast'] === true,
    isNew: options['new'] === true,
  };
}

function readName(word: string): RunOptions['tasks'][number] {
  const colon = word.lastIndexOf(':');
  return colon < 0 ? { id: word } : { id: word.slice(colon + 1), plan: word.slice(0, colon) };
}
