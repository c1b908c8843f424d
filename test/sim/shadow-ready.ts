import type { TaskId } from '../../server/domain/ids.ts';
import type { Chain, ShadowRun, ShadowTask } from './shadow-task.ts';

const UNMEASURED_MS = 1000;
const CLASSES = ['critical', 'high', 'normal', 'low'];

/** Whether a task waits for no other one. */
function isFreeOf(run: ShadowRun, { work }: ShadowTask): boolean {
  const { dependsOn, after } = work.definition;
  return (
    dependsOn.every((id) => run.standing(id) === 'completed') &&
    after.every((id) => run.standing(id) !== 'open')
  );
}

/** Looks again at what each task of a run waits for. Who has become ready has been so since `at`. */
export function followEdges(run: ShadowRun, at: number | undefined): void {
  for (const task of run.tasks.values()) {
    const isFree = isFreeOf(run, task);
    if (isFree && !task.isFree && at !== undefined) task.readySince = at;
    task.isFree = isFree;
  }
}

/** Whether what a task needs completed has ended otherwise. */
export function isInVain(run: ShadowRun, { work }: ShadowTask): boolean {
  return work.definition.dependsOn.some((id) => run.standing(id) === 'ended');
}

/** The class a task is served in: that of the highest open task that waits for it, or its own. */
export function classOf(run: ShadowRun, task: ShadowTask): number {
  const classes = [task, ...waitingFor(run, task)].map(({ work }) =>
    CLASSES.indexOf(work.asks.priority),
  );
  return Math.min(...classes);
}

/** Every open task that waits for this one, however far behind. */
export function waitingFor(run: ShadowRun, task: ShadowTask): ShadowTask[] {
  const behind = new Set([task]);
  for (const each of behind)
    for (const other of run.tasks.values())
      if (!other.isFinal && waitsFor(other, each.work.task)) behind.add(other);
  return [...behind];
}

/** The expected time of the longest chain that starts with a task; of itself where it never ends. */
function pathOf(run: ShadowRun, task: ShadowTask): number {
  return chainOf(run, task).ms;
}

/** Who comes back to itself on the way finds itself endless. */
function chainOf(run: ShadowRun, task: ShadowTask): Chain {
  const known = run.chains.get(task);
  if (known !== undefined) return known;
  const ms = task.work.asks.expectedMs ?? UNMEASURED_MS;
  run.chains.set(task, { ms, isEndless: true });
  let longest = 0;
  for (const other of run.tasks.values()) {
    if (!waitsFor(other, task.work.task)) continue;
    const next = chainOf(run, other);
    if (next.isEndless) return { ms, isEndless: true };
    longest = Math.max(longest, next.ms);
  }
  const chain = { ms: ms + longest, isEndless: false };
  run.chains.set(task, chain);
  return chain;
}

/** The longest remaining path, then who is ready longest, then the id. */
export function startsBefore(run: ShadowRun, one: ShadowTask, other: ShadowTask): boolean {
  const [path, itsPath] = [pathOf(run, one), pathOf(run, other)];
  if (path !== itsPath) return path > itsPath;
  if (one.readySince !== other.readySince) return one.readySince < other.readySince;
  return one.work.task < other.work.task;
}

function waitsFor({ work }: ShadowTask, id: TaskId): boolean {
  const { dependsOn, after } = work.definition;
  return dependsOn.includes(id) || after.includes(id);
}
