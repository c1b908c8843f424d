import type {
  Attempt,
  CommandEnd,
  Launch,
  Runner,
  RunnerNews,
  Sight,
  StartResult,
} from '../../server/engine/ports.ts';
import type { Instant } from '../../server/domain/time.ts';
import type { FaultyStore } from './faulty-store.ts';
import type { Life } from './life.ts';
import type { Machine, Order, Refusal } from './machine.ts';
import type { Physical } from './physical.ts';
import { leaseOf, placeOfWorker } from './shadow-claim.ts';
import type { ShadowFacts, ShadowHolder } from './shadow-task.ts';
import type { Shadow } from './shadow.ts';
import type { Work } from './work.ts';
import type { World } from './world.ts';

interface Parts {
  readonly world: World;
  readonly life: Life;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly shadow: Shadow;
  readonly store: FaultyStore;
  readonly physical: Physical;
  readonly now: () => Instant;
  readonly news: RunnerNews;
}

/** The same moment by the clock of the process and in truth. */
interface Moment {
  readonly at: number;
  readonly trueAt: number;
}

/** Runs the commands of one process on machines that stay when it goes. */
export class SimRunner implements Runner {
  readonly #parts: Parts;
  /** Where each command is that this process has started or found. */
  readonly #placeOf = new Map<number, string>();
  /** Whose end is still to be told. */
  readonly #untold = new Set<number>();
  /** Whose end was told since all that was told is in the ledger. */
  readonly #told = new Set<number>();
  /** Who is to be told to stop, and until when. */
  readonly #unsignalled = new Map<number, number>();
  /** Whether each host is among those of the user, as it was told last. */
  readonly #hosts = new Map<string, { readonly isThere: boolean; readonly toldAt: number }>();
  /** Since when another host could have taken the task of an attempt that was given up. */
  readonly #spared = new Map<number, Moment>();
  /** Attempts that an earlier process gave up: this one waits for them again until then. */
  readonly #waitedForAgain = new Map<number, Moment>();
  #wanted: readonly string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Its process decides from now on. */
  begin(): void {
    const { physical, world, now } = this.#parts;
    physical.known.clear();
    physical.ordered.clear();
    const until = { at: now() + SILENCE_MS, trueAt: world.now + SILENCE_MS };
    for (const term of physical.givenUp) this.#waitedForAgain.set(term, until);
  }

  start(launch: Launch): StartResult {
    const { life, shadow, machines } = this.#parts;
    this.#act('start');
    life.mayDie('crashBetweenActs');
    this.#check(launch);
    const { run, term, place } = launch;
    const work = shadow.facts.find(run, launch.definition.id)?.work;
    const machine = machines.get(place);
    if (work === undefined || machine === undefined)
      return { kind: 'not-started', message: 'There is no such place.', mayPass: true };
    const isFar = machine.host !== undefined;
    const why = isFar ? undefined : machine.order({ work, term });
    if (why !== undefined) return { kind: 'not-started', ...why };
    this.#placeOf.set(term, place);
    this.#parts.physical.known.set(term, this.#parts.world.now);
    this.#untold.add(term);
    if (isFar) this.#send({ work, term }, machine);
    life.mayDie('crashBetweenActs');
    return isFar ? { kind: 'ordered' } : { kind: 'started', process: PROCESS };
  }

  /** Again and again, until it has arrived or is not wanted any more. */
  #send(order: Order, machine: Machine): void {
    const { life, world, physical } = this.#parts;
    const { term } = order;
    physical.ordered.add(term);
    const send = (): void => {
      // Before anything is ordered again it is asked who decides.
      if (life.isTakenOver || !physical.ordered.has(term) || !this.#untold.has(term)) return;
      if (!machine.hasArrived(term)) machine.send(order, (refusal) => this.#answer(term, refusal));
      world.after(SEND_AGAIN_MS, () => life.run(send));
    };
    send();
  }

  /** What became of an order that has arrived: whoever sent it may hear of it late, and in any case once. */
  #answer(term: number, refusal: Refusal | undefined): void {
    const { life, world, news, physical } = this.#parts;
    const tell = (): void => {
      if (this.#machineOf(term)?.isReachable === false) world.after(1000, tell);
      else
        life.run(() => {
          if (life.isTakenOver || !this.#untold.has(term) || !physical.ordered.delete(term)) return;
          physical.known.set(term, world.now);
          if (refusal === undefined) news.started(term, { kind: 'started', process: PROCESS });
          else {
            this.#untold.delete(term);
            news.started(term, { kind: 'not-started', ...refusal });
          }
        });
    };
    const isLate = world.faults.hits('messageDelayed');
    world.after(isLate ? world.random.between(100, 10_000) : world.random.between(1, 50), tell);
  }

  wanted(places: readonly string[]): void {
    this.#act('wanted');
    this.#wanted = places;
    for (const machine of this.#parts.machines.values()) this.see(machine);
  }

  /** How a host of the user is: nobody can tell of one that nobody asks for. */
  see({ name, host, isReachable, isTakenOut }: Machine): void {
    if (host === undefined) return;
    if (this.#hosts.get(name)?.isThere !== !isTakenOut)
      this.#hosts.set(name, { isThere: !isTakenOut, toldAt: this.#parts.world.now });
    if (isTakenOut) {
      this.#parts.news.placeGone(name);
      return;
    }
    const isSeen = isReachable && this.#wanted.includes(name);
    this.#parts.world.faults.note('placeSeen');
    this.#parts.news.placeSeen({ name, isReachable: isSeen, ...host });
  }

  /** What it does there is not waited for, and nothing is told of it. */
  giveUp({ name, lostAt }: Machine): void {
    const { world, life, news, physical } = this.#parts;
    if (life.isTakenOver || lostAt === undefined || world.now - lostAt < SILENCE_MS) return;
    for (const [term, place] of this.#placeOf) {
      if (place !== name || !this.#untold.delete(term)) continue;
      world.faults.note('outOfSight');
      physical.known.delete(term);
      physical.ordered.delete(term);
      physical.givenUp.add(term);
      this.#waitedForAgain.delete(term);
      news.outOfSight(term);
    }
  }

  adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, Sight>>();
    const { world, life } = this.#parts;
    this.#act('adopt');
    this.#later(() => {
      const sights = new Map<number, Sight>();
      for (const attempt of attempts) {
        const sight = this.#look(attempt);
        if (sight !== undefined) sights.set(attempt.term, sight);
      }
      // Ends are told from now on, though others are still looked for.
      this.#later(() => {
        if (!life.isAlive) return;
        world.stir();
        resolve(sights);
      });
    });
    return promise;
  }

  /** It arrives, sooner or later, for as long as this process is there. */
  signal(term: number, signal: 'terminate' | 'kill'): void {
    const { life, world } = this.#parts;
    life.mayDie('crashBetweenActs');
    this.#act('signal');
    this.#unsignalled.delete(term);
    const machine = this.#machineOf(term);
    if (machine === undefined) return;
    const arrive = (): void => {
      if (!life.isAlive) return;
      if (machine.isReachable) machine.signal(term, signal);
      else world.after(1000, () => life.run(arriveLater));
    };
    const arriveLater = (): void => {
      if (!life.isTakenOver) arrive();
    };
    const isLate = world.faults.hits('messageDelayed');
    world.after(world.random.between(1, isLate ? 3000 : 50), arrive);
  }

  sweep(attempt: Attempt): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { world, machines } = this.#parts;
    this.#act('sweep');
    this.#later(() => {
      const machine = machines.get(attempt.place);
      const isSeen = machine?.isReachable !== false && !world.faults.hits('lookFailed');
      if (isSeen) machine?.sweep(attempt.term);
      world.stir();
      resolve(isSeen);
    });
    return promise;
  }

  dropOutput(): void {
    this.#act('dropOutput');
  }

  outputBytes(term: number): number | undefined {
    return this.#machineOf(term)?.outputOf(term);
  }

  /** Of nobody whose end was told it says that he has the task still. */
  settled(): void {
    const { world, shadow } = this.#parts;
    this.#act('settled');
    const holders = this.#told.size === 0 ? [] : shadow.facts.holders();
    for (const { holder } of holders) {
      const isLeft = holder !== undefined && this.#told.has(holder.term);
      world.checks.holds(
        'settled-ends',
        !isLeft,
        () => `term ${holder?.term} has ended, unwritten`,
      );
    }
    this.#told.clear();
  }

  close(): void {
    this.#untold.clear();
  }

  /** The ledger says that a command is to stop. */
  asked(term: number, withinMs = 0): void {
    const { now } = this.#parts.world;
    if (this.#placeOf.has(term)) this.#unsignalled.set(term, now + withinMs);
  }

  /** Whoever is to stop has been told, unless something has kept this process from its work. */
  checkSignals(): void {
    const { world, life, shadow } = this.#parts;
    for (const [term, until] of this.#unsignalled) {
      const isAlive = shadow.facts.holders().some(({ holder }) => holder?.term === term);
      const isLate = world.now > until && life.calmSince <= until - FOUND_MS;
      const why = (): string => `term ${term} is to stop, and nobody tells it`;
      world.checks.holds('signal', !isAlive || !isLate, why);
    }
  }

  /** The ledger has the hosts that were told, and nobody keeps what is not waited for any more. */
  checkHosts(): void {
    const { world, life, shadow, physical } = this.#parts;
    const isLate = (since: number): boolean =>
      life.calmSince <= since && world.now > since + TELL_MS;
    for (const [name, { isThere, toldAt }] of this.#hosts) {
      const isRight = shadow.facts.places.has(name) === isThere || !isLate(toldAt);
      world.checks.holds('hosts', isRight, () => `${name}: ${isThere ? 'not there' : 'there'}`);
    }
    for (const { work, holder } of shadow.facts.holders()) {
      if (holder === undefined || !physical.givenUp.has(holder.term)) continue;
      // As long as nobody else could have its task it is waited for.
      if (mustWait(shadow.facts, { work, holder })) this.#spared.delete(holder.term);
      else if (!this.#spared.has(holder.term))
        this.#spared.set(holder.term, this.#sparedAt(holder.term));
      const since = this.#spared.get(holder.term);
      if (since === undefined || !isLate(since.trueAt)) continue;
      const until = since.at + (leaseOf(work, holder.worker) ?? Infinity) + TELL_MS;
      const isRight = (holder.expiresAt ?? 0) <= until;
      world.checks.holds('given-up', isRight, () => `term ${holder.term} is kept for ever`);
    }
  }

  #sparedAt(term: number): Moment {
    const now = { at: this.#parts.now(), trueAt: this.#parts.world.now };
    const until = this.#waitedForAgain.get(term);
    return until !== undefined && until.trueAt > now.trueAt ? until : now;
  }

  /** Of each command that started, the end is told once, when somebody can be told. */
  ended({ term }: Order, end: CommandEnd): void {
    if (!this.#untold.has(term)) return;
    const { life, world, news, physical } = this.#parts;
    const tell = (): void => {
      if (this.#machineOf(term)?.isReachable === false) world.after(1000, tell);
      else
        life.run(() => {
          if (!this.#untold.delete(term)) return;
          this.#told.add(term);
          if (life.isTakenOver) {
            news.ended(term, end);
            return;
          }
          // Nobody hears of an end before they have heard of the start.
          if (physical.ordered.delete(term)) {
            physical.known.set(term, world.now);
            if (physical.begun.has(term)) news.started(term, { kind: 'started', process: PROCESS });
          }
          news.ended(term, end);
        });
    };
    const isLate = world.faults.hits('messageDelayed');
    world.after(isLate ? world.random.between(100, 10_000) : world.random.between(1, 50), tell);
  }

  /** Nothing is done before the ledger has it, nor by a process that was taken over. */
  #act(what: string): void {
    const { world, life, store } = this.#parts;
    life.checkFenced(`acts: ${what}`);
    world.checks.holds('acts', !store.isInside, () => `${what} before the commit`);
  }

  /** What the disk says at the moment of a start. */
  #check({ run, definition, term, revision, attempt, place }: Launch): void {
    const { world, shadow, now } = this.#parts;
    const task = shadow.facts.find(run, definition.id);
    const holder = task?.holder;
    const { checks } = world;
    checks.holds('I8', holder?.term === term, () => `term ${term} starts without a claim`);
    const isIts = task?.attempts === attempt && task.revision === revision;
    checks.holds('I8', isIts, () => `term ${term} starts as attempt ${revision}.${attempt}`);
    checks.holds('place', holder?.worker === `runner/${place}`, () => `term ${term} at ${place}`);
    checks.holds('I22', shadow.facts.isPermitted, () => `term ${term} starts, and nothing may`);
    checks.holds('I18', holder?.stop === undefined, () => `term ${term} starts, and is to stop`);
    const isInTime = holder?.expiresAt === undefined || now() < holder.expiresAt;
    checks.holds('I8', isInTime, () => `term ${term} starts when its lease is over`);
  }

  #look({ run, task, term, place }: Attempt): Sight | undefined {
    const { machines, world, physical, shadow } = this.#parts;
    const machine = machines.get(place);
    if (machine === undefined) return { kind: 'never-started' };
    if (!machine.isReachable || world.faults.hits('lookFailed')) return undefined;
    const found = machine.look(term);
    this.#placeOf.set(term, place);
    physical.known.set(term, world.now);
    physical.givenUp.delete(term);
    this.#spared.delete(term);
    if (found.kind !== 'alive') return found;
    const holder = shadow.facts.find(run, task)?.holder;
    if (holder?.term === term && holder.stop !== undefined) this.asked(term, FOUND_MS);
    this.#untold.add(term);
    return { kind: 'running', process: PROCESS };
  }

  #later(what: () => void): void {
    const { world, life } = this.#parts;
    const { random } = world;
    const most = random.pick([0, 30, 30, 3000]);
    world.after(random.below(most + 1), () => life.run(what));
  }

  #machineOf(term: number): Machine | undefined {
    return this.#parts.machines.get(this.#placeOf.get(term) ?? '');
  }
}

const SEND_AGAIN_MS = 1000;
/** What was told is written by then. */
const TELL_MS = 6000;
/** Whoever is silent for so long is not waited for. */
const SILENCE_MS = 60_000;
const PROCESS = { bootId: 'boot', pid: 1, startTime: '1' };
/** Whoever finds something that is to stop takes it over before it tells it so. */
const FOUND_MS = 4500;

/** Whether its task would wait for its host, if it were given back. */
function mustWait(
  { places }: ShadowFacts,
  { work: { asks }, holder }: { readonly work: Work; readonly holder: ShadowHolder },
): boolean {
  const own = placeOfWorker(holder.worker);
  if (own === undefined || holder.stop !== undefined) return false;
  if (places.get(own)?.isReachable !== false) return false;
  return !asks.hosts.some((name) => {
    const place = places.get(name);
    const isAble = asks.needs.every((need) => place?.capabilities.includes(need) === true);
    return place?.isReachable === true && isAble && place.limits['parallel'] !== 0;
  });
}
