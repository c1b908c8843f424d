import { expect, test } from 'vitest';
import type { HostDefinition } from '../../../server/domain/host.ts';
import type {
  Attempt,
  Launch,
  Runner,
  RunnerNews,
  SeenPlace,
  Sight,
} from '../../../server/engine/ports.ts';
import type { HostState } from '../../../server/remote/machine-connection.ts';
import {
  type HostSight,
  type PlaceRunner,
  RoutingRunner,
} from '../../../server/remote/routing-runner.ts';
import { EndLog } from '../../support/end-log.ts';
import { definition, runId } from '../../support/runs.ts';

const PROCESS = { bootId: 'boot', pid: 1, startTime: '1' };

test('each command goes to the machine that it is for', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.router.start(launchAt('local', 1));
  ways.router.start(launchAt('local', 2, { isInSession: true }));
  ways.router.start(launchAt('build', 3));
  ways.router.signal(3, 'kill');
  ways.router.signal(1, 'terminate');
  expect(ways.log).toEqual([
    'open build',
    'processes start 1',
    'sessions start 2',
    'build start 3',
    'build kill 3',
    'processes terminate 1',
  ]);
});

test('whoever is asked what became of commands is asked of their own', async () => {
  const ways = new Ways([host('build'), host('other')]);
  ways.router.wanted(['build']);
  const attempts = [attemptAt('local', 1), attemptAt('build', 2), attemptAt('gone', 3)];
  const sights = await ways.router.adopt(attempts);
  expect([...sights.keys()]).toEqual([1, 2]);
  ways.router.signal(2, 'kill');
  expect(ways.log).toEqual(['open build', 'processes adopt 1', 'build adopt 2', 'build kill 2']);
  expect(await ways.router.sweep(attemptAt('gone', 3))).toBe(false);
  expect(await ways.router.sweep(attemptAt('build', 2))).toBe(true);
});

test('what ran on a host that never comes back is lost at once, and nothing of it is left', async () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.of('build').isBusy = true;
  ways.router.start(launchAt('build', 1));
  ways.router.start(launchAt('local', 2));
  ways.setHosts([], { gone: ['build'] });
  expect(ways.log.at(-1)).toBe('build close');
  expect([...ways.ends.all]).toEqual([[1, { kind: 'lost', cause: 'host-lost' }]]);
  expect(ways.gone).toEqual(['build']);
  expect(await ways.router.sweep(attemptAt('build', 1))).toBe(true);
  expect(await ways.router.adopt([attemptAt('build', 1)])).toEqual(
    new Map([[1, { kind: 'gone', cause: 'host-lost' }]]),
  );
});

test('what is found on a host while it is said to be gone for ever is lost, too', async () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  const looked = Promise.withResolvers<void>();
  ways.of('build').looked = looked.promise;
  const found = ways.router.adopt([attemptAt('build', 1)]);
  ways.setHosts([], { gone: ['build'] });
  looked.resolve();
  expect(await found).toEqual(new Map([[1, { kind: 'gone', cause: 'host-lost' }]]));
});

test('nobody is connected to a host that nobody needs', () => {
  const ways = new Ways([host('build'), host('other')]);
  ways.router.wanted(['other']);
  expect(ways.log).toEqual(['open other']);
  expect(ways.sights()).toEqual(['build idle', 'other connecting']);
  ways.router.wanted([]);
  expect(ways.log).toEqual(['open other', 'other close']);
});

test('what is busy is not let go of', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.of('build').isBusy = true;
  ways.router.wanted([]);
  ways.setHosts([]);
  expect(ways.log).toEqual(['open build']);
  ways.of('build').isBusy = false;
  ways.router.wanted([]);
  expect(ways.log.at(-1)).toBe('build close');
});

test('the engine hears of every host, and how it is', () => {
  const ways = new Ways([host('build', { capabilities: ['gpu'], slots: 3 }), host('other')]);
  ways.router.wanted(['build']);
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  expect(ways.places.at(-1)).toEqual({
    name: 'build',
    isReachable: true,
    capabilities: ['gpu'],
    limits: { parallel: 3 },
    load: 0,
    isIsolated: true,
  });
  expect(ways.places.find(({ name }) => name === 'other')?.isReachable).toBe(false);
  ways.of('build').turn({ kind: 'reconnecting', why: 'the cable was pulled' });
  expect(ways.places.at(-1)).toMatchObject({ name: 'build', isReachable: false });
  ways.setHosts([host('other')]);
  expect(ways.gone).toEqual(['build']);
});

test('a host whose settings have changed is connected anew', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.setHosts([host('build', { ssh: 'elsewhere' })]);
  expect(ways.log).toEqual(['open build', 'build close', 'open build']);
});

test('nothing more starts on a host that is removed while something runs there', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  ways.of('build').isBusy = true;
  ways.setHosts([]);
  const told = ways.places.length;
  ways.of('build').turn({ kind: 'reachable', load: 1 });
  expect(ways.places.slice(told)).toEqual([]);
  expect(ways.gone).toEqual(['build']);
  expect(ways.router.start(launchAt('build', 1)).kind).toBe('not-started');
  ways.of('build').isBusy = false;
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  expect(ways.log).toEqual(['open build', 'build close']);
});

test('a host that is elsewhere now is not reached before what runs where it was has ended', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  const old = ways.of('build');
  old.isBusy = true;
  old.turn({ kind: 'reachable', load: 0 });
  ways.setHosts([host('build', { ssh: 'elsewhere' })]);
  old.turn({ kind: 'reachable', load: 0 });
  expect(ways.places.at(-1)?.isReachable).toBe(false);
  expect(ways.router.start(launchAt('build', 1)).kind).toBe('not-started');
  old.isBusy = false;
  old.turn({ kind: 'reachable', load: 0 });
  expect(ways.log).toEqual(['open build', 'build close', 'open build']);
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  expect(ways.places.at(-1)?.isReachable).toBe(true);
});

test('how many may run on a busy host is what the settings say now', () => {
  const ways = new Ways([host('build', { slots: 1 })]);
  ways.router.wanted(['build']);
  ways.of('build').isBusy = true;
  ways.setHosts([host('build', { slots: 4, capabilities: ['gpu'] })]);
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  const limits = { parallel: 4 };
  expect(ways.places.at(-1)).toMatchObject({ isReachable: true, limits, capabilities: ['gpu'] });
  expect(ways.router.start(launchAt('build', 1)).kind).toBe('ordered');
});

test('a host that nobody needs is let go of as soon as nothing is left of it there', () => {
  const ways = new Ways([host('build')]);
  ways.router.wanted(['build']);
  ways.of('build').isBusy = true;
  ways.router.wanted([]);
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  expect(ways.log).toEqual(['open build']);
  ways.of('build').isBusy = false;
  ways.of('build').turn({ kind: 'reachable', load: 0 });
  expect(ways.log).toEqual(['open build', 'build close']);
  expect(ways.sights()).toEqual(['build idle']);
});

test('a host that somebody has looked after is tried at once', () => {
  const ways = new Ways([host('build'), host('other')]);
  ways.router.wanted(['build']);
  ways.hurry('build');
  ways.hurry('other');
  expect(ways.log).toEqual(['open build', 'build hurry']);
});

test('what is not among the hosts is not started, and may be later', () => {
  const ways = new Ways([]);
  expect(ways.router.start(launchAt('build', 1))).toEqual({
    kind: 'not-started',
    message: '"build" is not among your hosts any more.',
    mayPass: true,
  });
});

test('where there are no sessions one that needs a session says so', () => {
  const ways = new Ways([], { hasSessions: false });
  expect(ways.router.start(launchAt('local', 1, { isInSession: true }))).toMatchObject({
    kind: 'not-started',
    mayPass: false,
  });
});

/** Machines that note what they are asked for. */
class Ways {
  readonly log: string[] = [];
  readonly places: SeenPlace[] = [];
  readonly gone: string[] = [];
  readonly ends = new EndLog();
  readonly router: RoutingRunner;
  hurry: (host: string) => void = () => {};
  readonly #runners = new Map<string, HandRunner>();
  readonly #listeners: (() => void)[] = [];
  #hosts: readonly HostDefinition[];
  #goneForEver: readonly string[] = [];
  #sights: readonly HostSight[] = [];

  constructor(hosts: readonly HostDefinition[], { hasSessions = true } = {}) {
    this.#hosts = hosts;
    const { ends } = this;
    const news: RunnerNews = {
      started: (term, result) => ends.started(term, result),
      ended: (term, end) => ends.ended(term, end),
      outOfSight: (term) => ends.outOfSight(term),
      placeSeen: (place) => this.places.push(place),
      placeGone: (name) => this.gone.push(name),
    };
    const runner = (name: string): HandRunner => new HandRunner(name, this.log);
    const getHosts = (): readonly HostDefinition[] => this.#hosts;
    const getGone = (): readonly string[] => this.#goneForEver;
    this.router = new RoutingRunner({
      news,
      newProcesses: () => runner('processes'),
      ...(hasSessions && { newSessions: () => runner('sessions') }),
      sessionsFolder: '/nowhere',
      known: {
        get hosts() {
          return getHosts();
        },
        get gone() {
          return getGone();
        },
        onChanged: (listener) => {
          this.#listeners.push(listener);
          return { [Symbol.dispose]: () => {} };
        },
      },
      newHost: ({ name }, { onState }) => {
        this.log.push(`open ${name}`);
        const made = runner(name);
        made.onState = onState;
        this.#runners.set(name, made);
        return made;
      },
      noticed: () => {},
      onHurry: (listener) => {
        this.hurry = listener;
        return { [Symbol.dispose]: () => {} };
      },
      onHosts: (sights) => {
        this.#sights = sights;
      },
    });
  }

  of(name: string): HandRunner {
    const found = this.#runners.get(name);
    if (found === undefined) throw new Error(`Nobody is connected to ${name}.`);
    return found;
  }

  setHosts(hosts: readonly HostDefinition[], { gone = [] as readonly string[] } = {}): void {
    this.#hosts = hosts;
    this.#goneForEver = gone;
    for (const listener of this.#listeners) listener();
  }

  sights(): readonly string[] {
    return this.#sights.map(({ host: { name }, state: { kind } }) => `${name} ${kind}`);
  }
}

class HandRunner implements PlaceRunner {
  onState: (state: HostState) => void = () => {};
  isBusy = false;
  looked: Promise<void> | undefined;
  connection = this.#way({ kind: 'connecting' });
  readonly #name: string;
  readonly #log: string[];

  constructor(name: string, log: string[]) {
    this.#name = name;
    this.#log = log;
  }

  turn(state: HostState): void {
    this.connection = this.#way(state);
    this.onState(state);
  }

  start({ term }: Launch): ReturnType<Runner['start']> {
    this.#log.push(`${this.#name} start ${term}`);
    return { kind: 'ordered' };
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const terms = attempts.map(({ term }) => term);
    this.#log.push(`${this.#name} adopt ${terms.join(' ')}`);
    await this.looked;
    return new Map(terms.map((term) => [term, { kind: 'running', process: PROCESS }]));
  }

  signal(term: number, signal: string): void {
    this.#log.push(`${this.#name} ${signal} ${term}`);
  }

  #way(state: HostState): PlaceRunner['connection'] {
    const hurry = (): void => void this.#log.push(`${this.#name} hurry`);
    return { machine: undefined, state, hurry };
  }

  async sweep(): Promise<boolean> {
    return true;
  }

  outputBytes(): undefined {}
  dropOutput(): void {}
  settled(): void {}

  close(): void {
    this.#log.push(`${this.#name} close`);
  }
}

function host(name: string, fields: Partial<HostDefinition> = {}): HostDefinition {
  return { name, ssh: name, folder: '~/work', sync: 'git', capabilities: [], ...fields };
}

function launchAt(place: string, term: number, asks = {}): Launch {
  return {
    place,
    root: '/work',
    definition: definition('task', { asks }),
    run: runId(1),
    revision: 1,
    attempt: 1,
    term,
  };
}

function attemptAt(place: string, term: number): Attempt {
  const launch = launchAt(place, term);
  return { place, run: launch.run, task: launch.definition.id, term, process: undefined, launch };
}
