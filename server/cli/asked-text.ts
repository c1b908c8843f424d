import { displayLine } from '../domain/display-text.ts';
import type { ReleaseAsk } from '../scheduler/model/ownership.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';

/** Who would like to have a file of whoever reads this. */
export function askedSentences(asked: readonly ReleaseAsk[] = []): readonly string[] {
  return asked.map(({ worker, path }) =>
    displayLine(
      `${withoutWindow(worker)} asks for ${path}: finish with it soon, or release the task.`,
    ),
  );
}
