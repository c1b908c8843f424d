import type { RunId, TaskId } from '../../server/domain/ids.ts';
import type { ClaimCall } from '../../server/engine/board-calls.ts';
import type { Grant } from '../../server/engine/store-port.ts';
import type { Saying } from '../../server/scheduler/requests/settle.ts';
import type { AgentEnd } from '../../server/scheduler/requests/leave.ts';
import { instant } from '../../server/domain/time.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import type { Desk, Reply } from './desk.ts';
import type { Actor, Physical } from './physical.ts';
import type { Shadow } from './shadow.ts';
import { lengthOf, type Work } from './work.ts';
import type { World } from './world.ts';

/** A task in the hands of a worker. */
interface Hold {
  readonly grant: Grant;
  readonly actor: Actor;
  /** Its own idea of when its lease ends at the latest, in true time. */
  fenceAt: number;
  isActing: boolean;
  /** It has stopped for good. */
  isDone: boolean;
}

/** What it says, and the name under which it says so again. */
interface Word {
  readonly says: Saying;
  readonly operation: string;
}

export type WorkerFacts = Pick<Worker, 'id' | 'kind' | 'capabilities' | 'root'>;

const ANSWER_MS = 4000;
const TRIES = 3;
const MARGIN_MS = 200;
/** So long its claims stay its own after its connection was closed. */
const GRACE_MS = 10_000;
/** The clock of a worker is wrong by 1 % at most; it gives up before the lease ends all the same. */
const CAUTION = 0.97;

/** An agent or a person who comes for work, does it out of our sight, and is trusted with nothing. */
export class PullWorker {
  readonly facts: WorkerFacts;
  readonly #world: World;
  readonly #desk: Desk;
  readonly #physical: Physical;
  readonly #shadow: Shadow;
  readonly #drift: number;
  #hold: Hold | undefined;
  /** Its last word on these may be on its way still, true or not: it does not take them up again. */
  readonly #spoken = new Set<number>();
  #asking = '';
  #requests = 0;
  #frozenUntil = 0;
  #deadUntil = 0;

  constructor(
    facts: WorkerFacts,
    around: { world: World; desk: Desk; physical: Physical; shadow: Shadow },
  ) {
    this.facts = facts;
    this.#world = around.world;
    this.#desk = around.desk;
    this.#physical = around.physical;
    this.#shadow = around.shadow;
    this.#drift = 1 + (around.world.random.next() - 0.5) * 0.02;
  }

  get term(): number | undefined {
    return this.#hold?.grant.term;
  }

  begin(): void {
    this.#greet(true);
    this.#think();
  }

  /** Somebody says that there is work. */
  wake(task: { run: RunId; task: TaskId }): void {
    const { random, faults } = this.#world;
    if (this.#isAway || (!faults.isOver && random.chance(0.2))) return;
    this.#world.after(random.between(10, 3000), () => this.#ask(task));
  }

  /** It finds out that it has a task which it knew nothing of, and does it. */
  adopt(grant: Grant): void {
    if (this.#isAway || this.#hold !== undefined) return;
    this.#take(grant);
  }

  heal(): void {
    if (this.#world.now < this.#deadUntil) this.#deadUntil = this.#world.now;
    this.#frozenUntil = Math.min(this.#frozenUntil, this.#world.now);
    this.#greet(this.#hold === undefined);
  }

  get #isAway(): boolean {
    return this.#world.now < this.#deadUntil || this.#world.now < this.#frozenUntil;
  }

  #greet(isIdle: boolean): void {
    this.#desk.seen({ ...this.facts, isIdle, since: instant(1) });
  }

  #think(): void {
    const { random, faults } = this.#world;
    this.#world.after(random.between(2000, 30_000), () => this.#think());
    if (this.#isAway) return;
    if (faults.hits('workerDied')) {
      this.#die();
      return;
    }
    if (faults.hits('workerMeddled')) this.#meddle();
    if (this.#hold !== undefined) return;
    if (random.chance(0.2)) this.#greet(true);
    if (random.chance(0.5)) this.#ask(random.chance(0.3) ? this.#anyTask() : undefined);
  }

  /** It says something of a task that somebody else has, under the very term. */
  #meddle(): void {
    const { random } = this.#world;
    const others = this.#shadow.facts
      .holders()
      .filter(({ holder }) => holder !== undefined && holder.worker !== this.facts.id);
    if (others.length === 0) return;
    const { work, holder } = random.pick(others);
    const says: readonly Saying[] = [
      { kind: 'completed' },
      { kind: 'renew' },
      { kind: 'released', reason: 'released' },
      { kind: 'started', process: { bootId: 'b', pid: 7, startTime: 'x' } },
      { kind: 'lost', cause: 'killed' },
    ];
    const by = { kind: 'worker', worker: this.facts.id } as const;
    const request = { run: work.run, task: work.task, term: holder?.term ?? 0, by };
    const what = random.pick(says);
    this.#desk.say({ ...request, says: what }, this.#nextOperation(), () => {});
  }

  /** Even one that is not meant for it. */
  #anyTask(): { run: RunId; task: TaskId } | undefined {
    const runs = [...this.#shadow.facts.runs.values()];
    if (runs.length === 0) return undefined;
    const run = this.#world.random.pick(runs);
    return { run: run.manifest.id, task: this.#world.random.pick([...run.tasks.keys()]) };
  }

  #ask(task?: { run: RunId; task: TaskId }): void {
    if (this.#hold !== undefined || this.#asking !== '' || this.#isAway) return;
    this.#requests += 1;
    const key = `${this.facts.id} ${this.#requests}`;
    this.#asking = key;
    const worker: Worker = { ...this.facts, isIdle: true, since: instant(1) };
    this.#request({ worker, ...(task !== undefined && { task }), operation: key }, TRIES);
  }

  #request(call: ClaimCall, tries: number): void {
    if (this.#asking !== call.operation) return;
    if (tries === 0 || this.#isAway) {
      this.#asking = '';
      return;
    }
    this.#desk.claim(call, (grant) => {
      // An answer that nobody waits for any more is lost; the lease will end.
      if (this.#asking !== call.operation || this.#isAway) return;
      this.#asking = '';
      if (grant !== undefined) this.#take(grant);
    });
    this.#world.after(ANSWER_MS, () => this.#request(call, tries - 1));
  }

  #take(grant: Grant): void {
    const work = this.#shadow.facts.find(grant.run, grant.task)?.work;
    if (work === undefined || this.#hold !== undefined || this.#spoken.has(grant.term)) return;
    const isBounded = grant.leaseMs !== undefined;
    const { term } = grant;
    const isActing = (): boolean =>
      hold.isActing && !this.#isAway && this.#world.now < hold.fenceAt;
    const actor = { work, term, place: undefined, isBounded, isActing };
    const hold: Hold = { grant, actor, fenceAt: 0, isActing: false, isDone: false };
    this.#hold = hold;
    this.#renew(hold);
  }

  /** The first renewal confirms the claim: before it, nothing is touched. */
  #renew(hold: Hold): void {
    if (this.#hold !== hold) return;
    const { grant } = hold;
    const sentAt = this.#world.now;
    // Once it works its server renews, whatever it does itself.
    const says: Saying = { kind: 'renew', ...(hold.isActing && { isAutomatic: true }) };
    this.#say(hold, this.#word(says), (reply) => this.#renewed(hold, sentAt, reply));
    const interval = grant.leaseMs === undefined ? 20_000 : grant.leaseMs / 3;
    this.#world.after(Math.min(interval, hold.isActing ? interval : 3000), () => {
      if (this.#world.now < this.#frozenUntil)
        this.#world.after(this.#frozenUntil - this.#world.now, () => this.#goOn(hold));
      else this.#goOn(hold);
    });
  }

  #goOn(hold: Hold): void {
    if (this.#hold !== hold) return;
    const { faults, random, now } = this.#world;
    if (hold.isActing && now >= hold.fenceAt) {
      this.#abandon(hold);
      return;
    }
    if (hold.isActing) this.#physical.check(hold.actor);
    if (faults.hits('workerDied')) {
      this.#die();
      return;
    }
    if (faults.hits('workerDisconnected')) {
      this.#disconnect(hold);
      return;
    }
    if (faults.hits('workerFroze')) this.#frozenUntil = now + random.between(1000, 120_000);
    if (now < this.#frozenUntil) this.#world.after(this.#frozenUntil - now, () => this.#goOn(hold));
    else this.#renew(hold);
  }

  #renewed(hold: Hold, sentAt: number, reply: Reply): void {
    if (this.#hold !== hold || this.#isAway) return;
    if (reply === 'again') return;
    if (reply.kind !== 'accepted') {
      this.#goOnWriting(hold);
      this.#desk.told(this.facts.id, hold.grant.term);
      this.#abandon(hold);
      return;
    }
    const { remainingMs: leaseMs } = reply;
    // Its clock may be slow, so it counts on less than it was given.
    const fenceAt =
      leaseMs === undefined ? Infinity : sentAt + (leaseMs * CAUTION - MARGIN_MS) / this.#drift;
    hold.fenceAt = Math.max(hold.fenceAt, fenceAt);
    if (hold.isActing || hold.isDone || this.#world.now >= hold.fenceAt) return;
    hold.isActing = true;
    this.#physical.begin(hold.actor);
    this.#world.say(`${this.facts.id} works ${this.#world.termName(hold.grant.term)}`);
    if (this.#world.faults.hits('undeclaredWrite')) this.#write(hold);
    const lasts = this.#lengthOf(hold.actor.work);
    this.#world.after(lasts, () => this.#finish(hold));
  }

  /** Somebody finds out what it has written without having said so. */
  #write({ grant }: Hold): void {
    const path = this.#world.random.pick(['a/x', 'b/c/z', 'd']);
    if (this.#world.random.chance(0.5)) this.#desk.wrote(grant, path);
    else this.#desk.saw(path);
  }

  /** Once all is mended, nobody takes longer than they may. */
  #lengthOf(work: Work): number {
    const { random, faults } = this.#world;
    const lasts = lengthOf(work) * (0.5 + 3 * random.next());
    const { softMs = Infinity, hardMs = Infinity } = work.asks.timeout;
    return faults.isOver ? Math.min(lasts, softMs / 2, hardMs / 2) : lasts;
  }

  #finish(hold: Hold): void {
    if (this.#hold !== hold) return;
    if (this.#isAway) {
      this.#world.after(1000, () => this.#finish(hold));
      return;
    }
    if (this.#world.now >= hold.fenceAt) {
      this.#abandon(hold);
      return;
    }
    this.#stopActing(hold);
    this.#report(hold, this.#word(this.#result()), 0);
  }

  #say(hold: Hold, { says, operation }: Word, reply: (reply: Reply) => void): void {
    const { run, task, term } = hold.grant;
    const by = { kind: 'worker', worker: this.facts.id } as const;
    this.#desk.say({ run, task, term, by, says }, operation, reply);
  }

  #word(says: Saying): Word {
    return { says, operation: this.#nextOperation() };
  }

  #nextOperation(): string {
    this.#requests += 1;
    return `${this.facts.id} ${this.#requests}`;
  }

  #result(): Saying {
    const { faults } = this.#world;
    if (faults.hits('workerFailed')) return { kind: 'failed', failure: { kind: 'exit', code: 1 } };
    if (faults.hits('workerReleased')) return { kind: 'released', reason: 'released' };
    return faults.hits('workerAsked') ? { kind: 'asked' } : { kind: 'completed' };
  }

  #report(hold: Hold, word: Word, tries: number): void {
    if (this.#hold !== hold) return;
    if (tries > 5 && hold.grant.leaseMs !== undefined) {
      this.#spoken.add(hold.grant.term);
      this.#drop();
      return;
    }
    this.#say(hold, word, (reply) => {
      if (reply !== 'again' && this.#hold === hold) this.#drop();
    });
    this.#world.after(ANSWER_MS, () => this.#report(hold, word, tries + 1));
  }

  /** Its hook asks for a file of the task, which it does not know to be lost. */
  #goOnWriting({ grant, actor: { work } }: Hold): void {
    const [path] = work.definition.writes;
    if (path === undefined || !this.#world.random.chance(0.5)) return;
    const request = {
      id: `hook ${this.#world.termName(grant.term)}`,
      worker: this.facts.id,
      tree: work.tree,
      reads: [],
    };
    this.#desk.own({ ...request, writes: [path], isUnsaved: false }, this.#nextOperation());
  }

  /** It has lost the task. A liar says that it has done it, much later. */
  #abandon(hold: Hold): void {
    // What it has said of its end may still arrive, so that it cannot go on under this term.
    if (hold.isDone) this.#spoken.add(hold.grant.term);
    this.#world.say(`${this.facts.id} gives up ${this.#world.termName(hold.grant.term)}`);
    this.#stopActing(hold);
    this.#drop();
    if (this.#world.faults.hits('undeclaredWrite')) this.#write(hold);
    if (!this.#world.faults.hits('workerLied')) return;
    this.#spoken.add(hold.grant.term);
    this.#world.after(this.#world.random.between(1, 60_000), () =>
      this.#say(hold, this.#word({ kind: 'completed' }), () => {}),
    );
  }

  #drop(): void {
    this.#hold = undefined;
    if (this.#world.random.chance(0.7)) this.#greet(true);
  }

  #stopActing(hold: Hold): void {
    hold.isActing = false;
    hold.isDone = true;
    this.#physical.end(hold.actor);
  }

  /** Its connection is closed. It goes on for a while, and for as long as it is closed it renews nothing. */
  #disconnect(hold: Hold): void {
    const { random, now } = this.#world;
    this.#world.say(`${this.facts.id} disconnects`);
    this.#desk.left(this.facts.id, this.#end(hold.grant.term, 'unknown'));
    if (this.facts.kind === 'agent')
      hold.fenceAt = Math.min(hold.fenceAt, now + (GRACE_MS * CAUTION - MARGIN_MS) / this.#drift);
    const awayMs = random.between(1000, 30_000);
    this.#world.after(awayMs, () => this.#greet(false));
    this.#world.after(awayMs, () => this.#goOn(hold));
  }

  #end(term: number | undefined, left: AgentEnd['left']): AgentEnd | undefined {
    if (this.facts.kind !== 'agent') return undefined;
    return { terms: term === undefined ? [] : [term], left };
  }

  #die(): void {
    const { random, now } = this.#world;
    this.#world.say(`${this.facts.id} dies`);
    const { term } = this;
    if (this.#hold !== undefined) this.#stopActing(this.#hold);
    this.#hold = undefined;
    this.#asking = '';
    const awayMs = random.between(5000, 400_000);
    this.#deadUntil = now + awayMs;
    if (random.chance(0.6)) this.#desk.left(this.facts.id, this.#end(term, 'ended'));
    this.#world.after(awayMs, () => this.#greet(true));
  }
}
