import { heldBy } from '../board/held-by.ts';
import type { TaskId, WorkerId } from '../domain/ids.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { Instant } from '../domain/time.ts';
import type { ClaimReply } from '../engine/board-calls.ts';
import { timedText } from '../scheduler/predicate/why.ts';
import { EXIT } from './exit-code.ts';
import type { Refused } from './say.ts';

interface Claimed {
  readonly task: TaskId;
  readonly worker: WorkerId;
  readonly term: number;
  readonly lease: string;
  /** Whether it ends by itself. */
  readonly isLeased: boolean;
  readonly title: string;
  readonly description: string | undefined;
  readonly writes: readonly string[];
}

/** What a worker that has just claimed a task needs to know. */
export function claimLines(claimed: Claimed): readonly string[] {
  const { task, worker, term, lease, isLeased, title, description, writes } = claimed;
  const which = `${task} --term ${term} --as ${worker.replace(/^(agent|person)\//, '')}`;
  return [
    `${task}: term ${term}, ${lease}`,
    ...(title === '' ? [] : [title]),
    ...descriptionLines(description),
    ...(writes.length === 0 ? [] : [`It may write: ${writes.join(', ')}`]),
    '',
    isLeased
      ? `Begin, and say so again before the lease ends:  interlock renew ${which}`
      : `To say that you begin:                          interlock renew ${which}`,
    `When it is done:                                interlock done ${which}`,
    `When it cannot be done:                         interlock fail ${which} --message TEXT`,
    `To release it:                                  interlock release ${which}`,
  ];
}

/** A terminal shows the beginning; `--json` has all of it. */
const DESCRIPTION_LINES = 40;

function descriptionLines(description: string | undefined): readonly string[] {
  if (description === undefined || description.trim() === '') return [];
  const lines = description.trimEnd().split(/\r?\n/);
  const shown = lines.slice(0, DESCRIPTION_LINES).map((line) => {
    const indent = /^ {0,80}/.exec(line)?.[0] ?? '';
    return inShort(indent + displayText(line), 500);
  });
  const left = lines.length - shown.length;
  return ['', ...shown, ...(left > 0 ? [`… ${left} more lines`] : []), ''];
}

interface Who {
  readonly worker: WorkerId;
  readonly task: TaskId | undefined;
  readonly now: Instant;
}

/** Why not, as a sentence. */
export function claimRefusal(
  reply: Exclude<ClaimReply, { kind: 'granted' }>,
  { worker, task, now }: Who,
): Refused {
  const refuse = (message: string): Refused => ({
    kind: 'refused',
    why: reply.kind,
    message: displayText(message),
    code: EXIT.refused,
  });
  switch (reply.kind) {
    case 'held':
      return refuse(`"${task}" is ${heldBy(reply.holder, reply.until, now)}.`);
    case 'blocked':
      return refuse(`"${task}" cannot be claimed now: ${timedText(reply.reasons, now)}.`);
    case 'ended':
      return refuse(`"${task}" has ended: ${reply.state}.`);
    case 'unknown':
      return refuse(`"${task}" is in no unfinished run.`);
    case 'nothing-to-claim':
      return refuse(`There is nothing to claim for ${worker} now.`);
    default:
      return reply satisfies never;
  }
}
