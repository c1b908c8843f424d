import { existsSync } from 'node:fs';
import type { HostDefinition } from '../domain/host.ts';
import type { RunId } from '../domain/ids.ts';
import type {
  Attempt,
  Launch,
  Runner,
  RunnerNews,
  SeenPlace,
  Sight,
  StartResult,
} from '../engine/ports.ts';
import type { HostState } from './machine-connection.ts';
import type { Machine } from './machine.ts';
import { LOCAL } from './machine-word.ts';
import { probedCapabilities } from './probed-capabilities.ts';

/** Which hosts the user has. */
interface KnownHosts {
  readonly hosts: readonly HostDefinition[];
  /** What those are called of which the user says that they never come back. */
  readonly gone: readonly string[];
  onChanged(listener: () => void): Disposable;
}

/** Runs commands on one machine. */
export interface PlaceRunner extends Runner {
  readonly connection: {
    readonly machine: Machine | undefined;
    readonly state: HostState;
    /** It is tried at once. */
    hurry(): void;
  };
  /** Whether anything there is not let go of yet. */
  readonly isBusy: boolean;
}

export interface RoutingParts {
  readonly news: RunnerNews;
  /** Commands of this machine that have no session. */
  readonly newProcesses: (news: RunnerNews) => Runner;
  /** Sessions of this machine; absent where there can be none. */
  readonly newSessions?: (news: RunnerNews) => Runner;
  /** Exists as soon as there have been sessions on this machine. */
  readonly sessionsFolder: string;
  readonly known: KnownHosts;
  readonly newHost: (host: HostDefinition, ear: HostEar) => PlaceRunner;
  readonly noticed: (sentence: string) => void;
  /** Somebody has done something about a host. */
  readonly onHurry: (listener: (host: string) => void) => Disposable;
  readonly onHosts: (sights: readonly HostSight[]) => void;
}

interface HostEar {
  readonly news: RunnerNews;
  readonly onState: (state: HostState) => void;
}

/** A host as it is shown. */
export interface HostSight {
  readonly host: HostDefinition;
  /** Nobody needs it now, so nobody is connected to it. */
  readonly state: HostState | { readonly kind: 'idle' };
  readonly system?: string;
  readonly hasTmux?: boolean;
}

interface Connected {
  readonly host: HostDefinition;
  readonly runner: PlaceRunner;
}

const LOST = { kind: 'lost', cause: 'host-lost' } as const;
const GONE = { kind: 'gone', cause: 'host-lost' } as const;

/** Runs each command where it is to run: in a process or a session of this machine, or on a host. */
export class RoutingRunner implements Runner {
  readonly #parts: RoutingParts;
  readonly #news: RunnerNews;
  readonly #processes: Runner;
  readonly #hosts = new Map<string, Connected>();
  /** Who runs what has started. */
  readonly #runners = new Map<number, Runner>();
  /** Those that were said to be among the hosts. */
  readonly #told = new Set<string>();
  readonly #warned = new Set<string>();
  readonly #changes: Disposable;
  readonly #hurries: Disposable;
  #sessions: Runner | undefined;
  #wanted: ReadonlySet<string> = new Set();

  constructor(parts: RoutingParts) {
    this.#parts = parts;
    const { news } = parts;
    this.#news = {
      started: (term, result) => {
        if (result.kind === 'not-started') this.#runners.delete(term);
        news.started(term, result);
      },
      ended: (term, end) => {
        this.#runners.delete(term);
        news.ended(term, end);
      },
      outOfSight: (term) => {
        this.#runners.delete(term);
        news.outOfSight(term);
      },
      placeSeen: (place) => news.placeSeen(place),
      placeGone: (name) => news.placeGone(name),
    };
    this.#processes = parts.newProcesses(this.#news);
    this.#changes = parts.known.onChanged(() => this.#followHosts());
    this.#hurries = parts.onHurry((name) => this.#hosts.get(name)?.runner.connection.hurry());
  }

  wanted(places: readonly string[]): void {
    this.#wanted = new Set(places);
    this.#followHosts();
  }

  start(launch: Launch): StartResult {
    const { place, definition } = launch;
    const isInSession = definition.asks?.isInSession === true;
    const runner = place === LOCAL ? this.#local(isInSession) : this.#meant(place)?.runner;
    if (runner === undefined) {
      const message =
        place === LOCAL
          ? 'This system has no tmux sessions. Leave out "in: tmux".'
          : `"${place}" is not among your hosts any more.`;
      return { kind: 'not-started', message, mayPass: place !== LOCAL };
    }
    const result = runner.start(launch);
    if (result.kind !== 'not-started') this.#runners.set(launch.term, runner);
    return result;
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const groups = Map.groupBy(attempts, (attempt) => this.#runnerOf(attempt));
    // It tidies up after processes that died, also where nothing of them is to be found any more.
    if (!groups.has(this.#processes)) groups.set(this.#processes, []);
    const found = await Promise.all(
      [...groups].map(async ([runner, group]) => {
        const sights = (await runner?.adopt(group)) ?? new Map<number, Sight>();
        // It may have been let go of meanwhile: then it tells nothing more.
        const [first] = group;
        if (first === undefined || runner === undefined || this.#runnerOf(first) !== runner)
          return [];
        for (const [term, { kind }] of sights)
          if (kind === 'running') this.#runners.set(term, runner);
        return [...sights];
      }),
    );
    const gone = attempts.filter(({ place }) => this.#isGone(place));
    return new Map([...found.flat(), ...gone.map(({ term }) => [term, GONE] as const)]);
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    this.#runners.get(term)?.signal(term, signal);
  }

  /** Of what is swept nobody may know how it was run: on this machine it is looked for in both ways. */
  async sweep(attempt: Attempt): Promise<boolean> {
    const { term, place } = attempt;
    this.#runners.delete(term);
    if (place !== LOCAL) {
      if (this.#isGone(place)) return true;
      return (await this.#hosts.get(place)?.runner.sweep(attempt)) ?? false;
    }
    const isGone = await this.#processes.sweep(attempt);
    const hadSessions = this.#sessions !== undefined || existsSync(this.#parts.sessionsFolder);
    const sessions = hadSessions ? this.#local(true) : undefined;
    return isGone && (sessions === undefined || (await sessions.sweep(attempt)));
  }

  outputBytes(term: number): number | undefined {
    return this.#runners.get(term)?.outputBytes(term);
  }

  dropOutput(runs: readonly RunId[]): void {
    this.#processes.dropOutput(runs);
  }

  settled(): void {
    this.#processes.settled();
    this.#sessions?.settled();
    for (const { runner } of this.#hosts.values()) runner.settled();
  }

  close(): void {
    this.#changes[Symbol.dispose]();
    this.#hurries[Symbol.dispose]();
    this.#processes.close();
    this.#sessions?.close();
    for (const { runner } of this.#hosts.values()) runner.close();
    this.#hosts.clear();
  }

  #local(isInSession: boolean): Runner | undefined {
    if (!isInSession) return this.#processes;
    this.#sessions ??= this.#parts.newSessions?.(this.#news);
    return this.#sessions;
  }

  #runnerOf({ place, launch }: Attempt): Runner | undefined {
    if (place !== LOCAL) return this.#hosts.get(place)?.runner;
    return this.#local(launch?.definition.asks?.isInSession === true);
  }

  /** Connects to what is wanted, lets go of what is not, and says of each host what is known of it. */
  #followHosts(): void {
    const { known, news } = this.#parts;
    const hosts = new Map(known.hosts.map((host) => [host.name, host]));
    for (const [name, { host, runner }] of this.#hosts) {
      if (this.#isGone(name)) this.#lose(runner);
      else if (!this.#isSpare({ host, runner })) continue;
      runner.close();
      this.#hosts.delete(name);
    }
    for (const [name, host] of hosts) {
      if (this.#wanted.has(name) && !this.#hosts.has(name)) this.#connect(host);
      this.#tellPlace(host);
    }
    for (const name of this.#told)
      if (!hosts.has(name)) {
        this.#told.delete(name);
        news.placeGone(name);
      }
    this.#tellSights();
  }

  /** Nobody waits for what runs there. */
  #lose(runner: PlaceRunner): void {
    for (const [term, its] of this.#runners) if (its === runner) this.#news.ended(term, LOST);
  }

  #isGone(place: string): boolean {
    return this.#parts.known.gone.includes(place);
  }

  #connect(host: HostDefinition): void {
    const onState = (): void => {
      this.#warn(host);
      const connected = this.#hosts.get(host.name);
      const now = this.#known(host.name);
      // It was kept for what ran there.
      if (connected !== undefined && this.#isSpare(connected)) this.#followHosts();
      else {
        if (now !== undefined) this.#tellPlace(now);
        this.#tellSights();
      }
    };
    const runner = this.#parts.newHost(host, { news: this.#news, onState });
    this.#hosts.set(host.name, { host, runner });
  }

  #known(name: string): HostDefinition | undefined {
    return this.#parts.known.hosts.find((host) => host.name === name);
  }

  /** Whether nobody needs it as it is. What runs there is not let go of, whatever the settings say. */
  #isSpare({ host, runner }: Connected): boolean {
    const isSame = JSON.stringify(this.#known(host.name)) === JSON.stringify(host);
    return !runner.isBusy && !(isSame && this.#wanted.has(host.name));
  }

  /** Nothing starts on one that the settings do not name any more, or lead elsewhere now. */
  #meant(name: string): Connected | undefined {
    const [connected, now] = [this.#hosts.get(name), this.#known(name)];
    return connected !== undefined && isSameWay(connected.host, now) ? connected : undefined;
  }

  #tellPlace(host: HostDefinition): void {
    const { name, slots } = host;
    const connection = this.#meant(name)?.runner.connection;
    const [facts, state] = [connection?.machine?.facts, connection?.state];
    this.#told.add(name);
    const limits = {
      parallel: slots ?? facts?.cpus ?? 1,
      ...(facts && { cpu: facts.cpus, memory: facts.memoryBytes }),
    };
    const load = state?.kind === 'reachable' && facts ? state.load / facts.cpus : 0;
    const isReachable = state?.kind === 'reachable';
    const capabilities = [...host.capabilities, ...(facts ? probedCapabilities(facts) : [])];
    // What it writes there meets nobody before it comes back.
    const isIsolated = host.sync !== 'none';
    const place: SeenPlace = { name, isReachable, capabilities, limits, load, isIsolated };
    this.#news.placeSeen(place);
  }

  /** Once, for whoever wonders where the sessions are. */
  #warn({ name }: HostDefinition): void {
    const machine = this.#hosts.get(name)?.runner.connection.machine;
    if (machine === undefined || machine.control !== undefined || this.#warned.has(name)) return;
    this.#warned.add(name);
    this.#parts.noticed(
      `"${name}" has no tmux: tasks run there without a session, and nobody can attach to them. Install tmux on it.`,
    );
  }

  #tellSights(): void {
    this.#parts.onHosts(
      this.#parts.known.hosts.map((host) => {
        const connection = this.#hosts.get(host.name)?.runner.connection;
        const facts = connection?.machine?.facts;
        const sight = { host, state: connection?.state ?? ({ kind: 'idle' } as const) };
        return facts === undefined
          ? sight
          : { ...sight, system: facts.system, hasTmux: facts.tmux !== undefined };
      }),
    );
  }
}

/** Whether it is the same folder of the same machine, filled in the same way. */
function isSameWay(host: HostDefinition, now: HostDefinition | undefined): boolean {
  return host.ssh === now?.ssh && host.folder === now.folder && host.sync === now.sync;
}
