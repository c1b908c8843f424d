import type { HazardPolicy } from '../domain/run.ts';
import { didYouMean } from './closest.ts';
import { amountsOf, type Defaults } from './defaults.ts';
import { checkRequests, type Limits, type Amount, NO_LIMITS, type Request } from './limits.ts';
import {
  NO_PLACED_DEFAULTS,
  type PartTasks,
  placeDefaults,
  type PlacedDefaults,
} from './part-tasks.ts';
import type { PlacedTask } from './placed-task.ts';
import { movedMention, movedMentions, movedProblem, movedRange } from './places.ts';
import type { Mention, ParsedPlan, Problem, TextRange } from './plan.ts';
import type { Entry } from './read-part.ts';
import { ProblemList, reportDuplicates, SLIP_LIMIT } from './yaml-document.ts';

const TASK_LIMIT = 20_000;
/** A hint compares a word with every name, so only the first few unknown names get one. */
const HINT_LIMIT = 20;

/** A part in its place: its own places are so much further down in the text. */
export interface PlacedPart {
  readonly tasks: PartTasks;
  readonly by: number;
}

/** What a plan says besides its tasks. */
interface Head {
  name: string | undefined;
  limits: Limits;
  hazards: Partial<HazardPolicy>;
  defaults: PlacedDefaults;
  agents: readonly Mention[];
}

/**
 * Puts the parts of a plan together, again and again. What is said of its keys holds for the next
 * plan with the same keys.
 */
export class Assembler {
  #defaults = NO_PLACED_DEFAULTS;
  /** The parts of the last plan, where no two of its keys and ids were the same. */
  #distinct: readonly PlacedPart[] | undefined;

  assemble(parts: readonly PlacedPart[]): ParsedPlan {
    const problems = new ProblemList();
    const head = this.#head(parts);
    const all: PlacedTask[] = [];
    for (const { tasks, by } of parts) all.push(...tasks.at(by, head.defaults));
    const isDistinct = this.#distinct !== undefined && haveSameKeys(this.#distinct, parts);
    if (!isDistinct) checkKeys(parts, problems);
    const tasks = isDistinct ? all : distinctTasks(all, problems);
    this.#distinct = tasks.length === all.length && problems.all.length === 0 ? parts : undefined;
    const shown = atMost(tasks, parts, problems);
    checkAgents(shown, head.agents, problems);
    checkRequests(requestsOf(shown, head.defaults), head.limits, problems);
    return {
      name: head.name,
      parallel: head.limits.parallel,
      limits: amountsOf(head.limits.amounts.values()),
      hazards: head.hazards,
      agents: head.agents,
      hosts: hostsOf(shown, head.defaults),
      tasks: shown,
      problems: problemsOf(parts, problems.all),
    };
  }

  /** Of what is there twice the last one counts. */
  #head(parts: readonly PlacedPart[]): Head {
    const head: Head = {
      name: undefined,
      limits: NO_LIMITS,
      hazards: {},
      defaults: NO_PLACED_DEFAULTS,
      agents: [],
    };
    for (const { tasks, by } of parts)
      for (const { says } of tasks.part.entries)
        switch (says.kind) {
          case 'name':
            head.name = says.name;
            break;
          case 'limits':
            head.limits = movedLimits(says.limits, by);
            break;
          case 'hazards':
            head.hazards = says.hazards;
            break;
          case 'defaults':
            head.defaults = this.#placeDefaults(says.defaults, by);
            break;
          case 'agents':
            head.agents = movedMentions(says.agents, by);
            break;
          default:
        }
    return head;
  }

  #placeDefaults(defaults: Defaults, by: number): PlacedDefaults {
    if (this.#defaults.defaults !== defaults || this.#defaults.by !== by)
      this.#defaults = placeDefaults(defaults, by);
    return this.#defaults;
  }
}

/** Whether two plans have the same keys in the same order; most of their parts are the very same. */
function haveSameKeys(some: readonly PlacedPart[], others: readonly PlacedPart[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ tasks }, index) => {
    const other = others[index]?.tasks;
    if (tasks === other) return true;
    const [keys, otherKeys] = [tasks.part.entries, other?.part.entries ?? []];
    return (
      keys.length === otherKeys.length &&
      keys.every((entry, at) => isSameEntry(entry, otherKeys[at]))
    );
  });
}

function isSameEntry({ key, says }: Entry, other: Entry | undefined): boolean {
  if (key?.text !== other?.key?.text || says.kind !== other?.says.kind) return false;
  // One that cannot be read takes no id from another.
  return foldedIdOf(says) === foldedIdOf(other.says);
}

function foldedIdOf(says: Entry['says']): string | undefined {
  return says.kind === 'task' ? says.task?.foldedId : undefined;
}

/** The first of each id. */
function distinctTasks(tasks: readonly PlacedTask[], problems: ProblemList): readonly PlacedTask[] {
  const byId = new Map<string, PlacedTask>();
  for (const each of tasks) {
    const { foldedId, id } = each.said.own;
    const same = byId.get(foldedId)?.id;
    if (same === undefined) byId.set(foldedId, each);
    // The very same key twice is reported with the keys of its mapping.
    else if (same !== id) {
      const message = `Duplicate task id: "${same}" has it already, and ids differ in more than case.`;
      problems.error('duplicate-id', each.idRange, message);
    }
  }
  return [...byId.values()];
}

function atMost(
  tasks: readonly PlacedTask[],
  parts: readonly PlacedPart[],
  problems: ProblemList,
): readonly PlacedTask[] {
  if (tasks.length <= TASK_LIMIT) return tasks;
  const rule = `A plan has at most ${TASK_LIMIT} tasks; the rest is left out.`;
  problems.error('too-large', placeOfTooMany(parts), rule);
  return tasks.slice(0, TASK_LIMIT);
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
  for (const {
    tasks: { part },
    by,
  } of parts)
    for (const { key, says } of part.entries) {
      if (says.kind === 'tasks') {
        reportDuplicates(ofTasks, problems, 'task');
        ofTasks = [];
      }
      if (key === undefined) continue;
      (says.kind === 'task' ? ofTasks : ofPlan).push(movedMention(key, by));
    }
  reportDuplicates(ofTasks, problems, 'task');
  reportDuplicates(ofPlan, problems);
}

/** The key of the `tasks` in which there are too many. */
function placeOfTooMany(parts: readonly PlacedPart[]): TextRange {
  let range = { start: 0, end: 0 };
  let count = 0;
  for (const {
    tasks: { part },
    by,
  } of parts)
    for (const { key, says } of part.entries) {
      if (says.kind === 'tasks' && key !== undefined) range = movedRange(key.range, by);
      if (says.kind === 'task') count += 1;
      if (count > TASK_LIMIT) return range;
    }
  return range;
}

function checkAgents(
  tasks: readonly PlacedTask[],
  agents: readonly Mention[],
  problems: ProblemList,
): void {
  const names = new Set(agents.map(({ text }) => text));
  let hints = 0;
  for (const { said, by } of tasks) {
    const { agent, doer } = said.own;
    // A task with a command is none of an agent's.
    if (agent === undefined || doer?.kind !== 'started-agent' || names.has(agent.text)) continue;
    const hint = hints < HINT_LIMIT ? didYouMean(agent.text, names) : '';
    hints += 1;
    const message = `There is no agent "${agent.text}" in "agents" of this plan.${hint}`;
    problems.error('unknown-agent', movedRange(agent.range, by), message);
  }
}

/** Those of the defaults once, however many tasks take them. */
function hostsOf(
  tasks: readonly PlacedTask[],
  { defaults: { fields }, by: byOfDefaults }: PlacedDefaults,
): readonly Mention[] {
  const mentions = [...movedMentions(fields.hosts ?? [], byOfDefaults)];
  for (const { said, by } of tasks) {
    const { hosts } = said.own.fields;
    if (hosts !== undefined) mentions.push(...movedMentions(hosts, by));
  }
  return mentions;
}

/** What the tasks ask for of the limits: one of the defaults once, however many tasks take it. */
function requestsOf(
  tasks: readonly PlacedTask[],
  { defaults, by: byOfDefaults }: PlacedDefaults,
): readonly Request[] {
  const ofDefaults = new Set(defaults.fields.resources);
  const requests: Request[] = [];
  for (const { said, by } of tasks)
    for (const amount of said.requests) {
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
  for (const {
    tasks: { part },
    by,
  } of parts) {
    for (const slip of part.slips) slips.push(movedProblem(slip, by));
    for (const problem of part.problems) problems.push(movedProblem(problem, by));
  }
  const shown = slips.toSorted(byPlace).slice(0, SLIP_LIMIT);
  // What is not shown stops nothing by itself, so the last one stands for all of it.
  if (slips.length > SLIP_LIMIT) {
    const { within: _, ...last } = shown.pop()!;
    shown.push(last);
  }
  return [...shown, ...problems, ...others].toSorted(byPlace);
}

function byPlace(a: Problem, b: Problem): number {
  return a.range.start - b.range.start;
}
