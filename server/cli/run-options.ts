import type { RunOptions } from '../board/run-choice.ts';
import { OptionReader } from './options.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** What `interlock run` was asked for. A word `plan:task` names the plan, too. */
export function readRunOptions({ words, options }: Arguments): RunOptions | Refused {
  const reader = new OptionReader(options);
  const parallel = reader.number('parallel', { from: 1, digits: 4 });
  if (reader.refusal !== undefined) return reader.refusal;
  const plans = words.flatMap((word) =>
    word.includes(':') ? word.slice(0, word.lastIndexOf(':')) : [],
  );
  const plan = reader.text('plan') ?? plans[0];
  return {
    plan,
    tasks: words.map((word) => word.slice(word.lastIndexOf(':') + 1)),
    requestedBy: 'command line',
    parallel,
    isFailFast: options['fail-fast'] === true,
    isNew: options['new'] === true,
  };
}
