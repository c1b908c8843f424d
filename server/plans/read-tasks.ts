import { isMap, type Pair } from 'yaml';
import { foldTaskId, parseTaskId, parseTaskReference, type TaskId } from '../domain/ids.ts';
import { asksOf, type Defaults, withDefaults } from './defaults.ts';
import { readDoer } from './doer.ts';
import type { Amount } from './limits.ts';
import type { Mention, PlanTask } from './plan.ts';
import { readTaskFields } from './task-fields.ts';
import { keyText } from './yaml-values.ts';
import { type ProblemList, rangeOf } from './yaml-document.ts';

const TASK_LIMIT = 20_000;

/** The tasks of one plan as they are read. */
export class TaskReader {
  readonly #problems: ProblemList;
  readonly #defaults: Defaults;
  /** Each at its folded id. */
  readonly #tasks = new Map<string, PlanTask>();
  /** One of the defaults is in it once, however many tasks take it. */
  readonly #requests = new Set<Amount>();

  constructor(defaults: Defaults, problems: ProblemList) {
    this.#defaults = defaults;
    this.#problems = problems;
  }

  get tasks(): readonly PlanTask[] {
    return [...this.#tasks.values()];
  }

  /** What the tasks ask for of the limits. */
  get requests(): Iterable<Amount> {
    return this.#requests;
  }

  read(pair: Pair): void {
    if (!isMap(pair.value)) {
      const rule = '"tasks" holds one entry for each task: its id, then its keys.';
      this.#problems.error('wrong-type', rangeOf(pair.key), rule);
      return;
    }
    const { items } = pair.value;
    const left = TASK_LIMIT - this.#tasks.size;
    if (items.length > left) {
      const rule = `A plan has at most ${TASK_LIMIT} tasks; the rest is left out.`;
      this.#problems.error('too-large', rangeOf(pair.key), rule);
    }
    for (const item of items.slice(0, left)) this.#add(item);
  }

  #add(pair: Pair): void {
    const task = this.#readTask(pair);
    if (task === undefined) return;
    const same = this.#tasks.get(foldTaskId(task.id))?.id;
    if (same === undefined) this.#tasks.set(foldTaskId(task.id), task);
    // The very same key twice has been reported already, as in any other mapping.
    else if (same !== task.id) {
      const message = `"${same}" has this id already; ids differ in more than case.`;
      this.#problems.error('duplicate-id', task.idRange, message);
    }
  }

  #readTask(pair: Pair): PlanTask | undefined {
    const id = readId(pair, this.#problems);
    if (id === undefined || !isMap(pair.value)) return undefined;
    const own = readTaskFields(pair.value, this.#problems);
    const doer = readDoer(own, this.#problems);
    const { fields, inherited } = withDefaults({ ...own, doer }, this.#defaults);
    for (const request of fields.resources ?? []) this.#requests.add(request);
    return {
      id,
      idRange: rangeOf(pair.key),
      range: { start: rangeOf(pair.key).start, end: rangeOf(pair.value).end },
      title: own.title ?? '',
      command: own.command,
      cwd: fields.cwd ?? '',
      env: fields.env ?? {},
      dependsOn: taskIds(own.dependsOn),
      dependsOnMentions: own.dependsOn,
      after: taskIds(own.after),
      afterMentions: own.after,
      reads: own.reads.map((mention) => mention.text),
      readMentions: own.reads,
      writes: own.writes.map((mention) => mention.text),
      writeMentions: own.writes,
      asks: asksOf(fields, doer),
      inherited,
    };
  }
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
