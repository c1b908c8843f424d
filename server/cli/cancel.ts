import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import { EXIT } from './exit-code.ts';
import { readRunId } from './find-task.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

/** `cancel --run RUN`, or `cancel --all`: all unfinished runs of the folder. */
export function cancelRequests(
  { folder, options }: Arguments,
  board: BoardModel,
): readonly ControlRequest[] | Refused {
  const run = readRunId(options);
  if (run !== undefined) return typeof run === 'string' ? [{ kind: 'stop-run', run }] : run;
  if (options['all'] !== true)
    return refuse('usage', 'Name a task, --run RUN, or --all.', EXIT.usage);
  const runs = [...board.runs.values()].filter(({ manifest }) => manifest.root === folder);
  if (runs.length === 0) return refuse('not-running', 'There is no unfinished run.', EXIT.refused);
  return runs.map(({ manifest }) => ({ kind: 'stop-run', run: manifest.id }));
}

function refuse(why: string, message: string, code: Refused['code']): Refused {
  return { kind: 'refused', why, message, code };
}
