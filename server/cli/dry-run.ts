import { PlanSet } from '../board/plan-set.ts';
import { type ChosenPart, chooseTasks, groupsOf, type RunOptions } from '../board/run-choice.ts';
import { displayText } from '../domain/display-text.ts';
import type { HostDefinition } from '../domain/host.ts';
import { parseRunId, type RunId, type TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { RunManifest } from '../domain/run.ts';
import { assert } from '../domain/assert.ts';
import { type Instant, instant, laterBy } from '../domain/time.ts';
import { UNMEASURED_MS } from '../domain/asks.ts';
import { decide } from '../scheduler/decide.ts';
import { boardEventOf } from '../scheduler/decision.ts';
import { BoardModel } from '../scheduler/model/board-model.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { LOCAL, runnerAt } from '../scheduler/model/workers.ts';
import { explain, listOf } from '../scheduler/predicate/explain.ts';
import { mayStart } from '../scheduler/predicate/may-start.ts';
import type { Budget } from '../domain/paths/overlap.ts';
import { TURN_STEPS } from '../scheduler/model/ownership.ts';
import { Turn } from '../scheduler/predicate/turn.ts';
import { orderOfSteps, type StepOrder } from './dry-run-order.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { warningLines } from './plan-warnings.ts';
import { noPlan } from './no-plan.ts';
import type { BoardUse } from './open-board.ts';
import { sayRunRefused } from './run-refused.ts';
import { errLine, outLine, sayJson, sayRefused } from './say.ts';

/** What a run would do, in order; nothing is written anywhere. */
export function dryRun(
  { args, terminal, world }: Pick<BoardUse, 'args' | 'terminal' | 'world'>,
  options: RunOptions,
): ExitCode {
  const rules = world.rulesOf(args.folder);
  const plans = new PlanSet(args.folder, world.files, { rules });
  plans.reload();
  if (plans.all.length === 0) return sayRefused(args, terminal, noPlan(args.folder));
  const chosen = chooseTasks(plans.all, options);
  if (chosen.kind === 'refused')
    return sayRunRefused(args, terminal, { refusal: chosen, plans: plans.all, options });
  const { parts, leftOut } = chosen;
  const warnings = warningLines(
    parts.map(({ plan }) => plan),
    world.hosts,
  );
  for (const line of warnings) errLine(terminal, line);
  const parallelOf = ({ plan }: ChosenPart): number =>
    options.parallel ?? plan.plan.parallel ?? world.defaultParallel;
  const rehearsals = groupsOf(parts).map((group) =>
    rehearse(group, { parallelOf, rules, hosts: world.hosts.hosts }),
  );
  const rehearsed = new Map(rehearsals.flatMap(({ steps }) => [...steps]));
  const never = rehearsals.flatMap(({ stuck }) => stuck);
  const code = never.length === 0 ? EXIT.done : EXIT.deadlocked;
  const runs = parts.map((part) => {
    const plan = part.plan.path;
    return { plan, parallel: parallelOf(part), steps: stepsOf(part, rehearsed, rules) };
  });
  if (args.isJson) {
    sayJson(terminal, { runs, leftOut, never });
    return code;
  }
  for (const { plan, steps } of runs) {
    if (runs.length > 1) outLine(terminal, plan);
    for (const [index, step] of steps.entries())
      outLine(terminal, `${String(index + 1).padStart(4)}  ${stepText(step)}`);
  }
  for (const { task, why } of leftOut) errLine(terminal, `${task}: would be left out. ${why}`);
  for (const { task, why } of never) errLine(terminal, `${task}: ${why}.`);
  return code;
}

type OrderedStep = Omit<Step, 'plan'> & StepOrder;

function stepsOf(
  part: ChosenPart,
  all: ReadonlyMap<string, readonly Step[]>,
  rules: PathRules,
): readonly OrderedStep[] {
  const steps = all.get(part.plan.path) ?? [];
  const tasks = steps.map(({ task }) => task);
  const outside = part.refersTo.filter(({ plan, task }) =>
    all.get(plan)?.some((step) => step.task === task),
  );
  const order = orderOfSteps(part, [...tasks, ...outside.map(({ reference }) => reference)], rules);
  return steps.map(({ task, title, doer, hosts }) => ({
    task,
    title,
    doer,
    hosts,
    ...(order.get(task) ?? ALONE),
  }));
}

const ALONE: StepOrder = { after: [], waitsFor: [] };

function stepText({ task, title, doer, hosts, after, waitsFor }: OrderedStep): string {
  const order = [
    ...(after.length > 0 ? [`after ${listOf(after)}`] : []),
    ...(waitsFor.length > 0 ? [`not while ${listOf(waitsFor)}`] : []),
  ].join(', ');
  const who = doer === 'runner' ? '' : `(${doer})`;
  const where = hosts.length === 0 ? '' : displayText(`on ${hosts.join(' or ')}`);
  return [task, title, who, where, order].filter((part) => part !== '').join('  ');
}

interface Step {
  readonly plan: string;
  readonly task: TaskId;
  readonly title: string;
  /** Who does it. */
  readonly doer: string;
  /** Where it may run, as its plan says it; nothing: on this machine. */
  readonly hosts: readonly string[];
}

interface Rules {
  readonly parallelOf: (part: ChosenPart) => number;
  readonly rules: PathRules;
  readonly hosts: readonly HostDefinition[];
}

/**
 * Goes through runs of which tasks wait for each other's with the scheduler itself: every task takes the
 * same time and completes, and whoever is waited for comes when nothing else is left to do. Answers with
 * the steps of each plan, and with what never starts.
 */
function rehearse(group: readonly ChosenPart[], { parallelOf, rules, hosts }: Rules): Rehearsal {
  const board = new BoardModel(rules);
  // What a host has is found when it is reached: here each has what is needed.
  const needs = group.flatMap(({ tasks }) => tasks.flatMap(({ asks }) => asks?.needs ?? []));
  for (const { name, slots } of hosts) {
    const limits = slots === undefined ? {} : { parallel: slots };
    const place = { name, isReachable: true, capabilities: needs, limits };
    board.apply({ kind: 'placeSeen', at: instant(0), place });
  }
  for (const manifest of manifestsOf(group, parallelOf))
    board.apply({ kind: 'runSubmitted', at: manifest.requestedAt, manifest });
  const steps = rehearseOn(board);
  return {
    steps: new Map(
      group.map(({ plan: { path } }) => [path, steps.filter(({ plan }) => plan === path)]),
    ),
    stuck: stuckOn(board),
  };
}

/** What a rehearsal may take to compare globs, in all; past it, tasks are taken to wait for each other. */
const REHEARSAL_STEPS = 5 * TURN_STEPS;

interface Rehearsal {
  /** Of each plan. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly stuck: readonly { readonly task: TaskId; readonly why: string }[];
}

/** What nobody could start to the end, and why. */
function stuckOn(board: BoardModel): Rehearsal['stuck'] {
  const turn = new Turn(board, instant(0));
  const entries = [...board.runs.values()].flatMap((run) => run.entries);
  return entries.flatMap((entry) => {
    if (entry.state.kind !== 'pending') return [];
    const verdict = mayStart(turn, entry);
    const reasons = verdict.kind === 'yes' ? [] : verdict.reasons;
    return [{ task: entry.id, why: displayText(reasons.map(explain).join('; ')) }];
  });
}

function rehearseOn(board: BoardModel): readonly Step[] {
  const steps: Step[] = [];
  let now = instant(0);
  let term = 0;
  const mintTerm = (): number => (term += 1);
  const budget = { stepsLeft: REHEARSAL_STEPS };
  for (;;) {
    for (let started = start(board, { now, mintTerm, budget }); started.length > 0;) {
      steps.push(...started.map(stepOf));
      started = start(board, { now, mintTerm, budget });
    }
    const next = nextToEnd(board) ?? takeByHand(board, { now, mintTerm, budget }, steps);
    if (next === undefined) return steps;
    now = next.at;
    complete(board, next);
  }
}

function manifestsOf(
  group: readonly ChosenPart[],
  parallelOf: Rules['parallelOf'],
): readonly RunManifest[] {
  const ids = new Map(group.map(({ plan }, number) => [plan.path, rehearsalId(number)]));
  const at = instant(0);
  return group.map((part) => {
    const { plan, selection, tasks, refersTo } = part;
    const { limits, hazards } = plan.plan;
    const outside = refersTo.flatMap(({ reference, plan: other, task }) => {
      const [run, there] = [ids.get(other), group.find((each) => each.plan.path === other)];
      const isThere = there?.tasks.some(({ id }) => id === task) === true;
      return run === undefined || !isThere ? [] : [{ reference, run, task }];
    });
    return {
      id: ids.get(plan.path)!,
      root: '/',
      plan: plan.path,
      planHash: '',
      selection,
      requestedBy: '',
      requestedAt: at,
      policy: { parallel: parallelOf(part), failFast: false, limits, hazards },
      tasks,
      outside,
    };
  });
}

function rehearsalId(number: number): RunId {
  const id = parseRunId(`rehearsal-${number}`);
  assert(id !== undefined, 'that is the id of a run');
  return id;
}

interface Minting {
  readonly now: Instant;
  readonly mintTerm: () => number;
  /** For all turns together. */
  readonly budget: Budget;
}

/** Whatever the scheduler starts now. */
function start(board: BoardModel, minting: Minting): readonly TaskEntry[] {
  const started: TaskEntry[] = [];
  for (const decision of decide(board, minting.now, minting.budget)) {
    if (decision.kind !== 'claim') continue;
    const entry = board.find(decision.run, decision.task);
    const event = boardEventOf(decision, entry?.state, minting);
    if (event === undefined || entry === undefined) continue;
    if (board.apply(event) === 'moved') started.push(entry);
  }
  return started;
}

interface Ending {
  readonly entry: TaskEntry;
  readonly term: number;
  readonly at: Instant;
}

/** Of those at work, the one that has been at it for as long as it takes first. */
function nextToEnd(board: BoardModel): Ending | undefined {
  let next: Ending | undefined;
  for (const claims of [board.claims.pushed, board.claims.pulled])
    for (const { entry, holder } of claims) {
      if (holder.kind !== 'claimed') continue;
      const at = laterBy(holder.claimedAt, UNMEASURED_MS);
      if (next === undefined || at < next.at) next = { entry, term: holder.term, at };
    }
  return next;
}

function takeByHand(
  board: BoardModel,
  { now, mintTerm }: Minting,
  steps: Step[],
): Ending | undefined {
  for (const lane of board.ready.pullLanes) {
    const entry = lane.ready.peek();
    if (entry === undefined) continue;
    board.move(entry, { kind: 'taskClaimed', term: mintTerm(), at: now, worker: runnerAt(LOCAL) });
    steps.push(stepOf(entry));
    return nextToEnd(board);
  }
  return undefined;
}

function complete(board: BoardModel, { entry, term, at }: Ending): void {
  const run = entry.run.manifest.id;
  board.apply({
    kind: 'taskMoved',
    run,
    task: entry.id,
    event: { kind: 'taskCompleted', term, at },
  });
}

function stepOf({ id, definition, asks, run }: TaskEntry): Step {
  return {
    plan: run.manifest.plan,
    task: id,
    title: displayText(definition.title),
    doer: asks.doer.kind,
    hosts: asks.hosts,
  };
}
