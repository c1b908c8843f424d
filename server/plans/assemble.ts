import type { HazardPolicy } from '../domain/run.ts';
import { didYouMean } from './closest.ts';
import { amountsOf, type Defaults, NO_DEFAULTS } from './defaults.ts';
import { type Amount, checkRequests, type Limits, NO_LIMITS, type Request } from './limits.ts';
import type { OwnTask } from './own-task.ts';
import { PlacedTask, wholeTask, type WholeTask } from './placed-task.ts';
import { movedMention, movedMentions, movedProblem, movedRange } from './places.ts';
import type { Mention, ParsedPlan, PlanTask, Problem, TextRange } from './plan.ts';
import type { Part } from './read-part.ts';
import type { SharedKey } from './schema/shared.ts';
import { ProblemList, reportDuplicates } from './yaml-document.ts';

const TASK_LIMIT = 20_000;
const SLIP_LIMIT = 20;
/** A hint compares a word with every name, so only the first few unknown names get one. */
const HINT_LIMIT = 20;

/** A part in its place: its own places are so much further down in the text. */
export interface PlacedPart {
  readonly part: Part;
  readonly by: number;
}

/** The defaults in their place; another object whenever they, or their place, are other ones. */
interface PlacedDefaults {
  readonly defaults: Defaults;
  readonly by: number;
  readonly ranges: ReadonlyMap<SharedKey, TextRange>;
}

const DEFAULTS_OF_NONE: PlacedDefaults = { defaults: NO_DEFAULTS, by: 0, ranges: new Map() };

/** What a plan says besides its tasks. */
interface Head {
  name: string | undefined;
  limits: Limits;
  hazards: Partial<HazardPolicy>;
  defaults: PlacedDefaults;
  agents: readonly Mention[];
}

/** What the tasks of one part are made into, with these defaults. */
interface PlacedTasks {
  readonly defaults: PlacedDefaults;
  readonly tasks: readonly TaskInPlace[];
}

interface TaskInPlace {
  readonly task: PlanTask;
  readonly whole: WholeTask;
  readonly by: number;
}

/**
 * Puts the parts of a plan together. It keeps what it made of each part, so that a plan of which
 * one part is new is made of the same tasks but for that one.
 */
export class Assembler {
  readonly #tasksOf = new WeakMap<PlacedPart, PlacedTasks>();
  readonly #wholeOf = new WeakMap<OwnTask, { readonly of: Defaults; readonly whole: WholeTask }>();
  readonly #defaultsOf = new WeakMap<PlacedPart, PlacedDefaults>();

  assemble(parts: readonly PlacedPart[]): ParsedPlan {
    const problems = new ProblemList();
    const head = this.#head(parts);
    checkKeys(parts, problems);
    const tasks = this.#tasks(parts, head.defaults, problems);
    checkAgents(tasks, head.agents, problems);
    checkRequests(requestsOf(tasks, head.defaults), head.limits, problems);
    return {
      name: head.name,
      parallel: head.limits.parallel,
      limits: amountsOf(head.limits.amounts.values()),
      hazards: head.hazards,
      agents: head.agents,
      tasks: tasks.map(({ task }) => task),
      problems: problemsOf(parts, problems.all),
    };
  }

  /** Of what is there twice the last one counts. */
  #head(parts: readonly PlacedPart[]): Head {
    const head: Head = {
      name: undefined,
      limits: NO_LIMITS,
      hazards: {},
      defaults: DEFAULTS_OF_NONE,
      agents: [],
    };
    for (const placed of parts)
      for (const { says } of placed.part.entries)
        switch (says.kind) {
          case 'name':
            head.name = says.name;
            break;
          case 'limits':
            head.limits = movedLimits(says.limits, placed.by);
            break;
          case 'hazards':
            head.hazards = says.hazards;
            break;
          case 'defaults':
            head.defaults = this.#placeDefaults(placed, says.defaults);
            break;
          case 'agents':
            head.agents = movedMentions(says.agents, placed.by);
            break;
          default:
        }
    return head;
  }

  #placeDefaults(placed: PlacedPart, defaults: Defaults): PlacedDefaults {
    const known = this.#defaultsOf.get(placed);
    if (known?.defaults === defaults) return known;
    const moved = [...defaults.ranges].map(
      ([key, range]) => [key, movedRange(range, placed.by)] as const,
    );
    const made = { defaults, by: placed.by, ranges: new Map(moved) };
    this.#defaultsOf.set(placed, made);
    return made;
  }

  /** The first of each id. */
  #tasks(
    parts: readonly PlacedPart[],
    defaults: PlacedDefaults,
    problems: ProblemList,
  ): readonly TaskInPlace[] {
    const byId = new Map<string, TaskInPlace>();
    for (const placed of parts)
      for (const each of this.#tasksOfPart(placed, defaults)) {
        const { foldedId, id } = each.whole.own;
        const same = byId.get(foldedId)?.task.id;
        if (same === undefined) byId.set(foldedId, each);
        // The very same key twice is reported as in any other mapping.
        else if (same !== id) {
          const message = `"${same}" has this id already; ids differ in more than case.`;
          problems.error('duplicate-id', each.task.idRange, message);
        }
      }
    const tasks = [...byId.values()];
    if (tasks.length <= TASK_LIMIT) return tasks;
    const rule = `A plan has at most ${TASK_LIMIT} tasks; the rest is left out.`;
    problems.error('too-large', placeOfTooMany(parts), rule);
    return tasks.slice(0, TASK_LIMIT);
  }

  #tasksOfPart(placed: PlacedPart, defaults: PlacedDefaults): readonly TaskInPlace[] {
    const known = this.#tasksOf.get(placed);
    if (known?.defaults === defaults) return known.tasks;
    const { by, part } = placed;
    const place = { by, defaultRanges: defaults.ranges };
    const tasks = part.entries.flatMap(({ says }) => {
      if (says.kind !== 'task' || says.task === undefined) return [];
      const whole = this.#wholeTask(says.task, defaults.defaults);
      return { task: new PlacedTask(whole, place), whole, by };
    });
    this.#tasksOf.set(placed, { defaults, tasks });
    return tasks;
  }

  #wholeTask(own: OwnTask, defaults: Defaults): WholeTask {
    const known = this.#wholeOf.get(own);
    if (known?.of === defaults) return known.whole;
    const whole = wholeTask(own, defaults);
    this.#wholeOf.set(own, { of: defaults, whole });
    return whole;
  }
}

function movedLimits({ parallel, amounts }: Limits, by: number): Limits {
  const moved = [...amounts].map(([name, limit]) => [name, movedAmount(limit, by)] as const);
  return { parallel, amounts: new Map(moved) };
}

function movedAmount(written: Amount, by: number): Amount {
  const range = movedRange(written.range, by);
  return { ...written, range, nameRange: movedRange(written.nameRange, by) };
}

/** The keys of the plan differ, and so do those of each `tasks`. */
function checkKeys(parts: readonly PlacedPart[], problems: ProblemList): void {
  const ofPlan: Mention[] = [];
  let ofTasks: Mention[] = [];
  for (const { part, by } of parts)
    for (const { key, says } of part.entries) {
      if (says.kind === 'tasks') {
        reportDuplicates(ofTasks, problems);
        ofTasks = [];
      }
      if (key === undefined) continue;
      (says.kind === 'task' ? ofTasks : ofPlan).push(movedMention(key, by));
    }
  reportDuplicates(ofTasks, problems);
  reportDuplicates(ofPlan, problems);
}

/** The key of the `tasks` in which there are too many. */
function placeOfTooMany(parts: readonly PlacedPart[]): TextRange {
  let range = { start: 0, end: 0 };
  let count = 0;
  for (const { part, by } of parts)
    for (const { key, says } of part.entries) {
      if (says.kind === 'tasks' && key !== undefined) range = movedRange(key.range, by);
      if (says.kind === 'task') count += 1;
      if (count > TASK_LIMIT) return range;
    }
  return range;
}

function checkAgents(
  tasks: readonly TaskInPlace[],
  agents: readonly Mention[],
  problems: ProblemList,
): void {
  const names = new Set(agents.map(({ text }) => text));
  let hints = 0;
  for (const { whole, by } of tasks) {
    const { agent, doer } = whole.own;
    // A task with a command is none of an agent's.
    if (agent === undefined || doer?.kind !== 'started-agent' || names.has(agent.text)) continue;
    const hint = hints < HINT_LIMIT ? didYouMean(agent.text, names) : '';
    hints += 1;
    const message = `There is no agent "${agent.text}" in "agents" of this plan.${hint}`;
    problems.error('unknown-agent', movedRange(agent.range, by), message);
  }
}

/** What the tasks ask for of the limits: one of the defaults once, however many tasks take it. */
function requestsOf(
  tasks: readonly TaskInPlace[],
  { defaults, by: byOfDefaults }: PlacedDefaults,
): readonly Request[] {
  const ofDefaults = new Set(defaults.fields.resources);
  const requests: Request[] = [];
  for (const { whole, by } of tasks)
    for (const amount of whole.requests) {
      const isInherited = ofDefaults.delete(amount);
      if (isInherited) requests.push({ amount, by: byOfDefaults });
      else if (!defaults.fields.resources?.includes(amount)) requests.push({ amount, by });
    }
  return requests;
}

/** In the order of the text. */
function problemsOf(parts: readonly PlacedPart[], others: readonly Problem[]): readonly Problem[] {
  const slips: Problem[] = [];
  const problems: Problem[] = [];
  for (const { part, by } of parts) {
    for (const slip of part.slips) slips.push(movedProblem(slip, by));
    for (const problem of part.problems) problems.push(movedProblem(problem, by));
  }
  const shown = slips.toSorted(byPlace).slice(0, SLIP_LIMIT);
  return [...shown, ...problems, ...others].toSorted(byPlace);
}

function byPlace(a: Problem, b: Problem): number {
  return a.range.start - b.range.start;
}
