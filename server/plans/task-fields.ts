import type { Pair, YAMLMap } from 'yaml';
import type * as z from 'zod/mini';
import { inShort } from '../domain/display-text.ts';
import type { Command } from '../domain/task.ts';
import type { Mention } from './plan.ts';
import { readKey, readMentions, readValue } from './read-value.ts';
import { isSharedKey } from './schema/shared.ts';
import { TASK } from './schema/task.ts';
import { readSharedKey, refuseFarTerminal, type SharedFields } from './shared-keys.ts';
import { keyText, type ProblemList, rangeOf } from './yaml-document.ts';

/** What one task says; what could not be read is left out. */
export interface WrittenTask {
  title: string | undefined;
  description: string | undefined;
  command: Command | undefined;
  agent: Mention | undefined;
  dependsOn: readonly Mention[];
  after: readonly Mention[];
  reads: readonly Mention[];
  writes: readonly Mention[];
  readonly fields: SharedFields;
  /** Everything that is written, right or wrong, at its key. */
  readonly pairs: ReadonlyMap<string, Pair>;
}

export function readTaskFields(map: YAMLMap, problems: ProblemList): WrittenTask {
  const task: WrittenTask = {
    title: undefined,
    description: undefined,
    command: undefined,
    agent: undefined,
    dependsOn: [],
    after: [],
    reads: [],
    writes: [],
    fields: {},
    pairs: new Map(map.items.map((pair) => [keyText(pair), pair])),
  };
  for (const pair of map.items) {
    const found = readKey(pair, { schema: TASK, of: 'a task' }, problems);
    if (found === undefined) continue;
    const { key, property } = found;
    if (isSharedKey(key)) readSharedKey(key, { pair, fields: task.fields }, problems);
    else if (key !== 'role' && !readOwnKey(key, { pair, task }, problems))
      // Nothing acts on it, but what is wrong with it is said. Who does the task is read from all of it.
      readValue(pair, property, problems);
  }
  refuseFarTerminal(task.fields, problems);
  return task;
}

/** Whether it was one that something acts on. */
function readOwnKey(
  key: string,
  { pair, task }: { readonly pair: Pair; readonly task: WrittenTask },
  problems: ProblemList,
): boolean {
  switch (key) {
    case 'title':
      task.title = readValue(pair, TASK.shape.title, problems);
      return true;
    case 'description':
      task.description = readValue(pair, TASK.shape.description, problems);
      return true;
    case 'run':
      task.command = readValue(pair, TASK.shape.run, problems);
      return true;
    case 'agent':
      task.agent = readAgent(pair, problems);
      return true;
    case 'depends_on':
      task.dependsOn = readIds(pair, TASK.shape.depends_on, problems);
      return true;
    case 'after':
      task.after = readIds(pair, TASK.shape.after, problems);
      return true;
    case 'reads':
      task.reads = readMentions(pair, TASK.shape.reads, problems);
      return true;
    case 'writes':
      task.writes = readMentions(pair, TASK.shape.writes, problems);
      return true;
    default:
      return false;
  }
}

/** Each id counts once; where it is there again it may have been meant to be another. */
function readIds(pair: Pair, schema: z.core.$ZodType, problems: ProblemList): readonly Mention[] {
  const mentions = readMentions(pair, schema, problems);
  if (mentions.length < 2) return mentions;
  const first = new Map<string, Mention>();
  for (const mention of mentions) {
    const earlier = first.get(mention.text);
    if (earlier === undefined) first.set(mention.text, mention);
    else
      problems.add({
        code: 'contradiction',
        severity: 'warning',
        message: `"${inShort(mention.text, 64)}" is here twice, and counts once.`,
        range: mention.range,
        related: [{ message: 'It is here first.', range: earlier.range }],
      });
  }
  return mentions;
}

function readAgent(pair: Pair, problems: ProblemList): Mention | undefined {
  const text = readValue(pair, TASK.shape.agent, problems);
  return text === undefined ? undefined : { text, range: rangeOf(pair.value) };
}
