import { assert } from '../../server/domain/assert.ts';
import type { ProcessIdentity } from '../../server/domain/task.ts';
import type {
  Attempt,
  CommandEnd,
  Launch,
  Runner,
  RunnerNews,
  SeenPlace,
  Sight,
  StartResult,
} from '../../server/engine/ports.ts';

const PLAIN_HOST = { isReachable: true, capabilities: [], limits: { parallel: 2 } };

interface Command {
  readonly launch: Launch;
  readonly process: ProcessIdentity;
  end: CommandEnd | undefined;
  bytes: number;
}

/**
 * A machine whose commands end when the test says so. It stays when the process that uses it goes:
 * the next runner finds what is there.
 */
export class HandMachine {
  readonly log: string[] = [];
  /** Of each process that has used it, whether it decides. */
  readonly deciders: (() => boolean)[] = [];
  /** Runs whose output nobody wants any more. */
  readonly dropped: string[] = [];
  /** Commands that cannot be started, with why. */
  readonly broken = new Map<string, string>();
  /** Orders have a way to go, and arrive when the test says so. */
  isFar = false;
  /** Whether what cannot be started may be later. */
  mayMend = true;
  /** The hosts of the user's settings, as they are. */
  readonly hosts = new Map<string, SeenPlace>();
  /** Which hosts were asked for, and what was looked for between. */
  readonly asked: string[] = [];
  /** How often it was told that it may forget the ends that it has told. */
  settlements = 0;
  /** What it finds out it tells later. */
  looksUntil: Promise<void> = Promise.resolve();
  readonly #commands = new Map<number, Command>();
  readonly #fenced = new Set<number>();
  readonly #goneForEver = new Set<string>();
  #news: RunnerNews | undefined;

  runner(news: RunnerNews, mayAct: () => boolean = () => true): Runner {
    this.#news = news;
    this.deciders.push(mayAct);
    return {
      start: (launch) => this.#start(launch),
      adopt: async (attempts) => {
        const sights = this.#adopt(attempts);
        await this.looksUntil;
        return sights;
      },
      wanted: (places) => this.#want(places),
      signal: (term, signal) => this.#signal(term, signal),
      sweep: async (attempt) => this.#sweep(attempt),
      outputBytes: (term) => this.#alive().find(({ launch }) => launch.term === term)?.bytes,
      dropOutput: (runs) => void this.dropped.push(...runs),
      settled: () => void (this.settlements += 1),
      close: () => {
        if (this.#news === news) this.#news = undefined;
      },
    };
  }

  /** A host is as it is now, and the engine hears of it. */
  see(name: string, facts: Partial<SeenPlace> = {}): void {
    const before = this.hosts.get(name) ?? { ...PLAIN_HOST, name };
    const place = { ...before, ...facts };
    this.hosts.set(name, place);
    this.#news?.placeSeen(place);
  }

  /** It is none of the user's hosts any more, or never comes back. */
  remove(name: string, { isForEver = false } = {}): void {
    this.hosts.delete(name);
    if (isForEver) this.#goneForEver.add(name);
    this.#news?.placeGone(name);
  }

  /** Nobody waits any more for the host where it is. */
  giveUp(id: string): void {
    this.#news?.outOfSight(this.#commandOf(id).launch.term);
  }

  get running(): readonly string[] {
    return this.#alive().map(({ launch }) => launch.definition.id);
  }

  launchOf(id: string): Launch {
    return this.#commandOf(id).launch;
  }

  /** An order has come to where it is carried out. */
  arrive(id: string): void {
    const { launch, process } = this.#commandOf(id);
    this.#news?.started(launch.term, { kind: 'started', process });
  }

  /** An order has come to where it cannot be carried out. */
  turnAway(id: string, message: string): void {
    const { term } = this.#commandOf(id).launch;
    this.#commands.delete(term);
    this.#news?.started(term, { kind: 'not-started', message, mayPass: this.mayMend });
  }

  succeed(id: string): void {
    this.#end(this.#commandOf(id), { kind: 'succeeded' });
  }

  fail(id: string, code = 1): void {
    this.#end(this.#commandOf(id), { kind: 'failed', failure: { kind: 'exit', code } });
  }

  /** It says something. */
  print(id: string): void {
    this.#commandOf(id).bytes += 1;
  }

  /** It was there, and nobody saw it end. */
  vanish(id: string): void {
    this.#end(this.#commandOf(id), { kind: 'lost', cause: 'killed' });
  }

  #start(launch: Launch): StartResult {
    const { term, definition } = launch;
    const message = this.broken.get(definition.id);
    if (message !== undefined) return { kind: 'not-started', message, mayPass: this.mayMend };
    assert(!this.#fenced.has(term), `term ${term} starts once`);
    this.#fenced.add(term);
    this.log.push(`start ${definition.id}`);
    const process = { bootId: 'boot', pid: this.log.length, startTime: '1' };
    this.#commands.set(term, { launch, process, end: undefined, bytes: 0 });
    return this.isFar ? { kind: 'ordered' } : { kind: 'started', process };
  }

  #want(places: readonly string[]): void {
    this.asked.push(`want ${places.join(' ')}`.trim());
    for (const host of this.hosts.values()) this.#news?.placeSeen(host);
  }

  #adopt(attempts: readonly Attempt[]): ReadonlyMap<number, Sight> {
    this.asked.push(`adopt ${attempts.length}`);
    const near = attempts.filter(({ place }) => this.#isNear(place));
    return new Map(near.map((each) => [each.term, this.#look(each)]));
  }

  #isNear(place: string): boolean {
    return place === 'local' || this.hosts.get(place)?.isReachable === true;
  }

  #look({ term }: Attempt): Sight {
    const command = this.#commands.get(term);
    if (command?.end !== undefined) return { kind: 'ended', end: command.end };
    if (command !== undefined) return { kind: 'running', process: command.process };
    const hasStarted = this.#fenced.has(term);
    this.#fenced.add(term);
    return hasStarted ? { kind: 'gone', cause: 'killed' } : { kind: 'never-started' };
  }

  #signal(term: number, signal: 'terminate' | 'kill'): void {
    const command = this.#commands.get(term);
    if (command !== undefined && command.end === undefined)
      this.log.push(`${signal} ${command.launch.definition.id}`);
  }

  #sweep({ term, place }: Attempt): boolean {
    if (this.#goneForEver.has(place)) return true;
    if (!this.#isNear(place)) return false;
    this.#fenced.add(term);
    const command = this.#commands.get(term);
    if (command !== undefined) this.log.push(`sweep ${command.launch.definition.id}`);
    this.#commands.delete(term);
    return true;
  }

  #end(command: Command, end: CommandEnd): void {
    const { term } = command.launch;
    command.end = end;
    if (end.kind === 'lost') this.#commands.delete(term);
    this.#news?.ended(term, end);
  }

  #alive(): readonly Command[] {
    return [...this.#commands.values()].filter(({ end }) => end === undefined);
  }

  #commandOf(id: string): Command {
    const command = this.#alive().find(({ launch }) => launch.definition.id === id);
    assert(command !== undefined, `"${id}" is running`);
    return command;
  }
}
