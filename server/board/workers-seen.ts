import type { Use } from '../../protocol/workers.ts';
import { displayText } from '../domain/display-text.ts';
import { type Breaker, mayCall } from '../domain/failure/circuit-breaker.ts';
import { isCooling } from '../domain/failure/cool-down.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import {
  type Agent,
  isRunner,
  LOCAL,
  type Place,
  placeOf,
  runnerAt,
  terminalOf,
  withoutWindow,
  type Worker,
} from '../scheduler/model/workers.ts';
import { workerName } from '../scheduler/predicate/explain.ts';
import { PARALLEL, poolOf, Usage } from '../scheduler/predicate/usage.ts';
import { type HeldThing, heldThings } from './held-things.ts';

/** Whatever can hold a claim, as a view tells of it. */
export interface SeenWorker {
  readonly id: string;
  readonly kind: 'runner' | 'host' | 'agent' | 'person' | 'terminal';
  readonly name: string;
  readonly isYou: boolean;
  readonly state: 'idle' | 'busy' | 'away';
  readonly isDrained: boolean;
  readonly trouble: string;
  readonly uses: readonly Use[];
  readonly remarks: readonly string[];
  readonly capabilities: readonly string[];
  readonly heardAt: Instant | undefined;
  readonly holds: readonly HeldThing[];
}

interface Looking {
  readonly board: BoardModel;
  readonly now: Instant;
  /** Who looks. */
  readonly person: WorkerId;
  /** How many tasks run at once where no run says. */
  readonly defaultParallel: number;
}

/** This machine and the hosts, then the agents, then the people, whoever looks among them. */
export function workersSeen(looking: Looking): readonly SeenWorker[] {
  const { board } = looking;
  const held = heldThings(board, looking.now);
  const usage = new Usage(board);
  const places = [...board.workers.places.values()].map((place) =>
    seenPlace({ ...looking, place, usage, holds: held.get(place.runner) ?? [] }),
  );
  const agents = [...board.workers.agents.values()].map((agent) => seenAgent(looking, agent));
  const ids = new Set<WorkerId>([
    looking.person,
    ...[...held.keys()].filter((id) => !isRunner(id)),
  ]);
  const sessions = Map.groupBy(board.workers.sessions.values(), ({ id }) => withoutWindow(id));
  for (const id of sessions.keys()) ids.add(id);
  for (const id of board.workers.drained) if (!isRunner(id)) ids.add(id);
  const others = [...ids].map((id) =>
    seenWorker(looking, { id, sessions: sessions.get(id) ?? [], holds: held.get(id) ?? [] }),
  );
  const byName = others.toSorted(
    (a, b) => Number(b.isYou) - Number(a.isYou) || (a.name < b.name ? -1 : 1),
  );
  return [
    ...places,
    // A window that only offers to open terminals is nobody at work.
    ...byName.filter(({ kind, holds }) => kind === 'terminal' && holds.length > 0),
    ...byName.filter(({ kind }) => kind === 'agent'),
    ...agents,
    ...byName.filter(({ kind }) => kind === 'person'),
  ];
}

/** An agent or a person, in all of their windows together. */
function seenWorker(
  { board, person }: Looking,
  {
    id,
    sessions,
    holds,
  }: {
    readonly id: WorkerId;
    readonly sessions: readonly Worker[];
    readonly holds: readonly HeldThing[];
  },
): SeenWorker {
  const [session] = sessions;
  const isYou = id === person;
  const kind = session?.kind ?? kindOf(id);
  const isBusy = holds.length > 0 || sessions.some(({ isIdle }) => !isIdle);
  const isHere = isYou || session !== undefined;
  return {
    id,
    kind,
    name: displayText(workerName(id)),
    isYou,
    state: isBusy ? 'busy' : isHere ? 'idle' : 'away',
    isDrained: board.workers.isDrained(id),
    trouble: '',
    uses: [],
    remarks: [],
    capabilities: session?.capabilities ?? [],
    heardAt: latest([
      ...sessions.map(({ since }) => since),
      ...holds.map(({ heardAt }) => heardAt),
    ]),
    holds,
  };
}

/** Of somebody who is here only by what they hold. */
function kindOf(id: WorkerId): Worker['kind'] {
  if (terminalOf(id) !== undefined) return 'terminal';
  return id.startsWith('person/') ? 'person' : 'agent';
}

function seenPlace({
  board,
  now,
  defaultParallel,
  place,
  usage,
  holds,
}: Looking & {
  readonly place: Place;
  readonly usage: Usage;
  readonly holds: readonly HeldThing[];
}): SeenWorker {
  const { name, runner, isReachable, breaker } = place;
  const runs = [...board.runs.values()];
  const most = Math.max(0, ...runs.map(({ manifest }) => manifest.policy.parallel));
  const limit = place.limits['parallel'] ?? (most || defaultParallel);
  const used = holds.filter(({ what }) => what === 'task').length;
  const load = name === LOCAL && board.mode !== 'normal' ? [`load ${board.mode}`] : [];
  return {
    id: runner,
    kind: name === LOCAL ? 'runner' : 'host',
    name: name === LOCAL ? 'This machine' : displayText(name),
    isYou: false,
    state: isReachable ? (used > 0 ? 'busy' : 'idle') : 'away',
    isDrained: board.workers.isDrained(runnerAt(name)),
    trouble: isReachable ? troubleOf(breaker, now) : 'cannot be reached',
    uses: [{ what: 'places', used, of: limit }, ...amountsAt(place, { board, usage })],
    remarks: load,
    capabilities: place.capabilities,
    heardAt: latest(holds.map(({ heardAt }) => heardAt)),
    holds,
  };
}

/** What is taken of what runs share; of what nobody takes nothing is said. */
function amountsAt(
  place: Place,
  { board, usage }: { readonly board: BoardModel; readonly usage: Usage },
): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const run of board.runs.values())
    for (const name of [
      ...Object.keys(place.limits),
      ...Object.keys(run.manifest.policy.limits ?? {}),
    ]) {
      const pool = name === PARALLEL ? undefined : poolOf(name, { run, place });
      const used = pool === undefined ? 0 : usage.of(pool.key);
      if (pool === undefined || used === 0 || uses.has(name)) continue;
      uses.set(name, { what: displayText(name), used, of: pool.limit });
    }
  return [...uses.values()].toSorted((a, b) => (a.what < b.what ? -1 : 1));
}

/** An agent that runners start; what it does they hold. */
function seenAgent({ board, now }: Looking, agent: Agent): SeenWorker {
  const { name, capabilities, breaker, coolDown } = agent;
  const started = [...board.claims.pushed].filter(
    ({ entry }) => entry.asks.doer.kind === 'started-agent' && entry.asks.doer.agent === name,
  );
  const isCool = coolDown !== undefined && isCooling(coolDown, now);
  return {
    id: `configured/${name}`,
    kind: 'agent',
    name: displayText(name),
    isYou: false,
    state: started.length > 0 ? 'busy' : 'idle',
    isDrained: false,
    trouble: isCool ? 'has reached its rate limit' : troubleOf(breaker, now),
    uses: [],
    remarks: [
      `${started.length} started on ${placesText(started.map(({ holder }) => holder.worker))}`,
    ],
    capabilities,
    heardAt: undefined,
    holds: [],
  };
}

function placesText(runners: readonly WorkerId[]): string {
  const names = new Set(runners.map(placeOf));
  return names.size === 0
    ? 'no machine'
    : [...names].map((name) => workerName(runnerAt(name))).join(', ');
}

function troubleOf(breaker: Breaker, now: Instant): string {
  if (mayCall(breaker, now).kind === 'refused')
    return 'has failed too often, and is left alone for a while';
  return breaker.kind === 'half-open' ? 'has failed too often, and is tried again' : '';
}

function latest(times: readonly Instant[]): Instant | undefined {
  return times.toSorted((a, b) => b - a)[0];
}
