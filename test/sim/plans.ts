import { type Doer, isPushed, type TaskAsks, type Timeout } from '../../server/domain/asks.ts';
import { parseTaskReference, type TaskId } from '../../server/domain/ids.ts';
import { PRIORITIES } from '../../server/domain/priority.ts';
import type { HazardPolicy, RunManifest } from '../../server/domain/run.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { ReferredTask, RunRequest } from '../../server/engine/run-request.ts';
import { runId, taskId } from './ids.ts';
import type { Random } from './random.ts';
import { PATTERNS } from './work.ts';

export const AGENT = 'coder';
const ROOTS = ['/tree/one', '/tree/one', '/tree/two'];
const LEASES = [8000, 15_000, 30_000, 300_000];
/** What we run ourselves is kept, however short its lease is. */
const SHORT_LEASES = [2000, ...LEASES];
const NOBODYS = taskId('nobody');

/** How wild the plans of a seed are. */
export interface Taste {
  readonly cycles: number;
  readonly missing: number;
  readonly impossible: number;
  readonly edges: number;
  readonly pulled: number;
  /** How many of those run in a terminal. */
  readonly terminals: number;
  readonly files: number;
  readonly hosts: number;
  /** How much may be at work on a host. */
  readonly placesOfHost: number;
  /** How many tasks ask for amounts of something. */
  readonly resources: number;
  /** How many tasks wait for one of another plan. */
  readonly outside: number;
}

export function tasteOf(random: Random): Taste {
  const some = (most: number): number => (random.chance(0.5) ? 0 : most * random.next());
  const taste = {
    cycles: some(0.1),
    missing: some(0.1),
    impossible: some(0.15),
    edges: random.next() * 0.6,
    pulled: random.chance(0.3) ? 0 : random.next() * 0.7,
    terminals: some(0.8),
    files: random.next(),
    hosts: some(0.7),
    placesOfHost: random.pick([2, 2, 5]),
    resources: 0.5,
    outside: some(0.6),
  };
  // Where many want the same, and nothing else keeps them back, it shows who is served first.
  const crowd = { ...taste, edges: 0.05, pulled: 0, files: 0, outside: 0 };
  if (random.chance(0.06)) return { ...crowd, hosts: 0, resources: 0.95 };
  if (random.chance(0.06)) return { ...crowd, hosts: 0.95, placesOfHost: 5 };
  return taste;
}

export function makeManifest(
  random: Random,
  { taste, number, size, at }: { taste: Taste; number: number; size: number; at: Instant },
): RunManifest {
  const ids = Array.from({ length: size }, (_, index) => taskId(`t${index}`));
  const tasks = ids.map((id) => makeTask(random, { taste, id, ids }));
  const policy = {
    parallel: random.between(1, 5),
    failFast: random.chance(0.15),
    limits: { token: random.between(2, 4), net: 1, ...(random.chance(0.3) && { cpu: 2 }) },
    ...(random.chance(0.6) && { hazards: makeHazards(random) }),
  };
  return {
    id: runId(`run-000${number}`),
    root: random.pick(ROOTS),
    plan: random.chance(0.1) ? 'interlock.yaml' : `plan-${number}.interlock.yaml`,
    planHash: `hash-${number}`,
    selection: [],
    requestedBy: 'sim',
    requestedAt: at,
    policy,
    tasks,
  };
}

/** Lets some tasks of one plan wait for some of another one, and in wild plans for none that it has. */
export function referTo(
  random: Random,
  { manifest, other, taste }: { manifest: RunManifest; other: RunManifest; taste: Taste },
): Pick<RunRequest, 'tasks' | 'refersTo'> {
  const refersTo = new Map<TaskId, ReferredTask>();
  const referred = (): TaskId => {
    const task = random.chance(taste.missing) ? NOBODYS : random.pick(other.tasks).id;
    const reference = parseTaskReference(`${other.id}/${task}`)!;
    refersTo.set(reference, { reference, plan: other.plan, task });
    return reference;
  };
  const tasks = manifest.tasks.map((task) => {
    if (!random.chance(taste.outside)) return task;
    return random.chance(0.7)
      ? { ...task, dependsOn: [...task.dependsOn, referred()] }
      : { ...task, after: [...task.after, referred()] };
  });
  return { tasks, refersTo: [...refersTo.values()] };
}

function makeHazards(random: Random): Partial<HazardPolicy> {
  const rules = ['wait', 'warn', 'ignore'] as const;
  return {
    ...(random.chance(0.3) && { writeWrite: random.pick(rules) }),
    ...(random.chance(0.5) && { readWrite: random.pick(rules) }),
    ...(random.chance(0.5) && { worktrees: random.pick(rules) }),
    ...(random.chance(0.3) && { human: random.pick(['ask', ...rules] as const) }),
  };
}

export function makeTask(
  random: Random,
  { taste, id, ids }: { taste: Taste; id: TaskId; ids: readonly TaskId[] },
): TaskDefinition {
  const dependsOn: TaskId[] = [];
  const after: TaskId[] = [];
  const own = ids.indexOf(id);
  for (const [index, other] of ids.entries()) {
    if (index < own && random.chance(taste.edges / 2)) dependsOn.push(other);
    else if (index < own && random.chance(taste.edges / 4)) after.push(other);
    else if (index >= own && random.chance(taste.cycles / ids.length))
      (random.chance(0.7) ? dependsOn : after).push(other);
  }
  if (random.chance(taste.missing)) (random.chance(0.7) ? dependsOn : after).push(NOBODYS);
  return {
    id,
    title: id,
    command: { kind: 'shell', script: 'true' },
    cwd: '',
    env: {},
    dependsOn,
    after,
    reads: makeFiles(random, taste.files * 0.6),
    writes: makeFiles(random, taste.files),
    asks: makeAsks(random, taste),
  };
}

function makeFiles(random: Random, chance: number): string[] {
  if (!random.chance(chance)) return [];
  const files = [random.pick(PATTERNS)];
  if (random.chance(0.3)) files.push(random.pick(PATTERNS));
  if (random.chance(0.2)) files.push(`!${random.pick(PATTERNS)}`);
  return files;
}

function makeAsks(random: Random, taste: Taste): Partial<TaskAsks> {
  const doer = makeDoer(random, taste);
  const isPerson = doer.kind === 'person' || doer.kind === 'anyone';
  const hosts = random.chance(taste.hosts)
    ? random.pick([['host-1'], ['host-2'], ['host-1', 'host-2'], ['local', 'host-1']])
    : [];
  return {
    priority: taste.resources > 0.5 ? 'normal' : random.pick(PRIORITIES),
    doer,
    hosts: random.chance(taste.impossible / 3) ? ['host-9'] : hosts,
    ...(random.chance(0.12) && { needs: ['fast'] }),
    ...(random.chance(taste.resources) && { resources: makeResources(random, taste) }),
    ...(random.chance(0.5) && { retry: makeRetry(random) }),
    ...(random.chance(0.4) && { timeout: makeTimeout(random) }),
    ...(!isPerson && { leaseMs: random.pick(isPushed(doer) ? SHORT_LEASES : LEASES) }),
    ...(isPerson && random.chance(0.3) && { leaseMs: 30_000 }),
    isIsolated: random.chance(0.15),
    expectedMs: random.pick([500, 1000, 4000, 15_000, undefined]),
    ...(random.chance(0.1) && { stuckAfterMs: random.pick([5000, 20_000]) }),
  };
}

function makeDoer(random: Random, taste: Taste): Doer {
  if (random.chance(taste.pulled)) {
    if (random.chance(taste.terminals)) return { kind: 'terminal' };
    return random.pick<Doer>([
      { kind: 'agent' },
      { kind: 'agent' },
      { kind: 'person' },
      { kind: 'anyone' },
    ]);
  }
  if (!random.chance(0.2)) return { kind: 'runner' };
  const agent = random.chance(taste.impossible / 3) ? 'nobody' : AGENT;
  return { kind: 'started-agent', agent };
}

function makeResources(random: Random, taste: Taste): Readonly<Record<string, number>> {
  if (random.chance(taste.impossible))
    return random.pick<Readonly<Record<string, number>>>([{ token: 9 }, { ghost: 1 }]);
  return random.pick<Readonly<Record<string, number>>>([
    { token: 1 },
    { token: 2 },
    { token: 1, net: 1 },
    { net: 1 },
    { cpu: 1 },
    { cpu: 2, token: 1 },
  ]);
}

function makeRetry(random: Random): TaskAsks['retry'] {
  return {
    attempts: random.between(1, 3),
    backoffMs: random.pick([0, 300, 5000]),
    factor: 2,
    maxMs: 8000,
    on: random.chance(0.3) ? [2] : [],
  };
}

function makeTimeout(random: Random): Timeout {
  const softMs = random.pick([2000, 8000, 20_000]);
  if (random.chance(0.3)) return { softMs };
  return random.chance(0.5) ? { hardMs: softMs } : { softMs, hardMs: softMs + 7000 };
}

export const START_AT = instant(1_000_000);
