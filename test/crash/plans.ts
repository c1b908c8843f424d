import path from 'node:path';
import type { Random } from '../sim/random.ts';

/** What a task of a plan is, as the file says it. */
type PlanTask = Readonly<Record<string, unknown>>;

export interface CrashPlan {
  readonly text: string;
  /** What the operator cancels as soon as it runs. */
  readonly cancels: readonly string[];
}

export const WORK_SCRIPT = 'work.sh';

/**
 * What every command is. It takes a lock that the system frees when the last of its processes is gone,
 * and says when it begins and when it ends. `9>`: children have the lock as well, so that one that is
 * left behind is noticed, too.
 */
export const WORK = `journal=$1; what="$INTERLOCK_RUN/$INTERLOCK_TASK $INTERLOCK_TERM"
exec 9>"$journal/lock-$INTERLOCK_RUN-$INTERLOCK_TASK"
flock -n 9 || echo "twice $what $$" >>"$journal/journal"
echo "start $what $$" >>"$journal/journal"
sleep "$2"
[ "$INTERLOCK_ATTEMPT" -lt "$4" ] && exit 9
echo "end $what $3" >>"$journal/journal"
exit "$3"
`;

export const BOARDS = ['mixed', 'chain', 'wide', 'pulled'] as const;
export type BoardName = (typeof BOARDS)[number];

/** A small board with a little of everything, or with much of one thing. */
export function smallPlan(name: BoardName, journal: string): CrashPlan {
  const work = worker(journal);
  switch (name) {
    case 'mixed':
      return { text: planOf(mixed(work), 4), cancels: ['cancelled'] };
    case 'chain':
      return { text: planOf(chain(work), 3), cancels: [] };
    case 'wide':
      return { text: planOf(wide(work), 6), cancels: [] };
    case 'pulled':
      return { text: planOf(pulled(work), 4), cancels: [] };
    default:
      return name satisfies never;
  }
}

/** Few that end at once, so that many runs come and go. */
export function briefPlan(random: Random, journal: string): string {
  const work = worker(journal);
  const tasks: Record<string, PlanTask> = {};
  for (let number = 0; number < random.between(3, 10); number += 1)
    tasks[`b${number}`] = random.chance(0.1) ? AGENT : work({ seconds: 0 });
  return planOf(tasks, 4);
}

/** Many tasks of all kinds; what they wait for is earlier. */
export function largePlan(random: Random, { count, journal }: Size): CrashPlan {
  const work = worker(journal);
  const tasks: Record<string, PlanTask> = {};
  for (let number = 0; number < count; number += 1) {
    const name = `t${number}`;
    const earlier = Array.from({ length: random.below(3) }, () => `t${random.below(number || 1)}`);
    const depends_on = number === 0 ? [] : [...new Set(earlier)];
    const [needed, rest] = random.chance(0.2) ? [[], depends_on] : [depends_on, []];
    const order = { depends_on: needed, after: rest };
    tasks[name] = { ...randomTask(random, work), ...order };
  }
  return { text: planOf(tasks, random.between(4, 10)), cancels: [] };
}

interface Size {
  readonly count: number;
  readonly journal: string;
}

type Work = (said?: { seconds?: number; code?: number; from?: number }) => PlanTask;

/** A command that takes so long, ends with this code, and fails before the attempt `from`. */
function worker(journal: string): Work {
  const script = path.join(journal, WORK_SCRIPT);
  return ({ seconds = 0.01, code = 0, from = 1 } = {}) => ({
    run: ['/bin/sh', script, journal, String(seconds), String(code), String(from)],
  });
}

function planOf(tasks: Readonly<Record<string, PlanTask>>, parallel: number): string {
  // Every JSON is YAML.
  return JSON.stringify({ version: 1, limits: { parallel }, tasks });
}

const AGENT = { role: 'agent', lease: '10s' };
const RETRY = { attempts: 3, backoff: '5ms' };

function mixed(work: Work): Record<string, PlanTask> {
  return {
    first: work(),
    second: { ...work({ seconds: 0.03 }), depends_on: ['first'] },
    written: { ...work(), writes: ['out/**'] },
    writing: { ...work(), writes: ['out/**'] },
    retried: { ...work({ from: 2 }), retry: RETRY },
    failing: work({ code: 3 }),
    skipped: { ...work(), depends_on: ['failing'] },
    late: { ...work({ seconds: 30 }), timeout: '100ms' },
    afterwards: { ...work(), after: ['late'] },
    cancelled: work({ seconds: 30 }),
    claimed: AGENT,
    thereafter: { ...work(), depends_on: ['claimed'] },
    again: { ...AGENT, depends_on: ['second'] },
    last: { ...work(), after: ['cancelled', 'again', 'thereafter', 'skipped'] },
  };
}

function chain(work: Work): Record<string, PlanTask> {
  const tasks: Record<string, PlanTask> = {};
  for (let number = 0; number < 14; number += 1)
    tasks[`c${number}`] = {
      ...work({ seconds: 0, from: number % 5 === 4 ? 2 : 1 }),
      retry: RETRY,
      depends_on: number === 0 ? [] : [`c${number - 1}`],
    };
  return tasks;
}

function wide(work: Work): Record<string, PlanTask> {
  const tasks: Record<string, PlanTask> = {};
  for (let number = 0; number < 20; number += 1)
    tasks[`w${number}`] = {
      ...work({ seconds: number % 6 === 1 ? 0.4 : 0.02 * (number % 3) }),
      lease: '1s',
    };
  return tasks;
}

function pulled(work: Work): Record<string, PlanTask> {
  const tasks: Record<string, PlanTask> = {};
  for (let number = 0; number < 8; number += 1) {
    tasks[`p${number}`] = number < 2 ? AGENT : { ...AGENT, depends_on: [`p${number - 2}`] };
    if (number % 2 === 0) tasks[`r${number}`] = { ...work(), depends_on: [`p${number}`] };
  }
  return tasks;
}

function randomTask(random: Random, work: Work): PlanTask {
  const seconds = random.below(12) / 100;
  const chance = random.next();
  if (chance < 0.12) return AGENT;
  if (chance < 0.2) return { ...work({ seconds, from: 2 }), retry: RETRY };
  if (chance < 0.23) return work({ seconds, code: 3 });
  if (chance < 0.26) return { ...work({ seconds: 30 }), timeout: '200ms' };
  if (chance < 0.3) return { ...work({ seconds: 1.5 }), lease: '1s' };
  if (chance < 0.45) return { ...work({ seconds }), writes: [`out/${random.below(4)}/**`] };
  return work({ seconds });
}
