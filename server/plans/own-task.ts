import { isMap, type Pair } from 'yaml';
import type { Doer } from '../domain/asks.ts';
import { foldTaskId, parseTaskId, parseTaskReference, type TaskId } from '../domain/ids.ts';
import type { Command } from '../domain/task.ts';
import { readDoer } from './doer.ts';
import type { Mention, TextRange } from './plan.ts';
import { isSharedKey, type SharedKey } from './schema/shared.ts';
import { readTaskFields } from './task-fields.ts';
import type { SharedFields } from './shared-keys.ts';
import { endOf, keyText, type ProblemList, rangeOf } from './yaml-document.ts';

/** What the lines of one task say, whatever the rest of the plan does. */
export interface OwnTask {
  readonly id: TaskId;
  readonly foldedId: string;
  readonly idRange: TextRange;
  readonly range: TextRange;
  readonly title: string;
  readonly description: string | undefined;
  readonly command: Command | undefined;
  readonly agent: Mention | undefined;
  readonly dependsOn: readonly TaskId[];
  readonly dependsOnMentions: readonly Mention[];
  readonly after: readonly TaskId[];
  readonly afterMentions: readonly Mention[];
  readonly reads: readonly string[];
  readonly readMentions: readonly Mention[];
  readonly writes: readonly string[];
  readonly writeMentions: readonly Mention[];
  readonly doer: Doer | undefined;
  readonly fields: SharedFields;
  /** Which of the keys that `defaults` have, too, it says, right or wrong. */
  readonly sharedKeys: readonly SharedKey[];
}

export function readTask(pair: Pair, problems: ProblemList): OwnTask | undefined {
  const id = readId(pair, problems);
  if (id === undefined || !isMap(pair.value)) return undefined;
  const own = readTaskFields(pair.value, problems);
  const doer = readDoer(own, problems);
  const idRange = rangeOf(pair.key);
  return {
    id,
    foldedId: foldTaskId(id),
    idRange,
    range: { start: idRange.start, end: endOf(pair.value) },
    title: own.title ?? '',
    description: own.description,
    command: own.command,
    agent: own.agent,
    dependsOn: taskIds(own.dependsOn),
    dependsOnMentions: own.dependsOn,
    after: taskIds(own.after),
    afterMentions: own.after,
    reads: own.reads.map((mention) => mention.text),
    readMentions: own.reads,
    writes: own.writes.map((mention) => mention.text),
    writeMentions: own.writes,
    doer,
    fields: own.fields,
    sharedKeys: [...own.pairs.keys()].filter(isSharedKey),
  };
}

function readId(pair: Pair, problems: ProblemList): TaskId | undefined {
  const id = parseTaskId(keyText(pair));
  if (id === undefined) {
    const rule =
      'An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';
    problems.error('invalid-id', rangeOf(pair.key), rule);
  } else if (!isMap(pair.value)) {
    const rule = `Task "${id}" has no keys. Give it a command: "run: …".`;
    problems.error('wrong-type', rangeOf(pair.key), rule);
  }
  return id;
}

/** Mentions that are no ids stay out; `analyze` reports them, because no task has such an id. */
function taskIds(mentions: readonly Mention[]): readonly TaskId[] {
  return mentions.flatMap(({ text }) => parseTaskReference(text) ?? []);
}
