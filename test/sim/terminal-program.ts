import type { Grant } from '../../server/engine/store-port.ts';
import type { CommandEnd } from '../../server/engine/ports.ts';
import type { ClaimCall } from '../../server/engine/board-calls.ts';
import type { Saying } from '../../server/scheduler/requests/settle.ts';
import type { Desk, Reply } from './desk.ts';
import type { Actor, Physical } from './physical.ts';
import type { Shadow } from './shadow.ts';
import { lengthOf } from './work.ts';
import type { World } from './world.ts';

export interface TerminalAround {
  readonly world: World;
  readonly desk: Desk;
  readonly physical: Physical;
  readonly shadow: Shadow;
}

/** What a terminal was opened for. */
export type Opened = Required<Pick<ClaimCall, 'worker' | 'task'>> & { readonly attempt: number };

const ANSWER_MS = 4000;
const TRIES = 4;
const GRACE_MS = 5000;
/** What is left of a lost attempt is waited for at least a minute. */
const LONGEST_FREEZE_MS = 40_000;
const LONGEST_ORPHAN_MS = 20_000;

/** A program in a terminal: it claims a task, runs its command there, and says how that ended. */
export class TerminalProgram {
  readonly opened: Opened;
  readonly #around: TerminalAround;
  #isAlive = true;
  #frozenUntil = 0;
  #grant: Grant | undefined;
  #command: Actor | undefined;
  #isCommandAlive = false;
  #isClosed = false;
  #isClaimOver = false;
  #stopped: 'terminate' | 'kill' | undefined;
  #words = 0;

  constructor(opened: Opened, around: TerminalAround) {
    this.opened = opened;
    this.#around = around;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** A terminal that comes back after its attempt does nothing. */
  begin(): void {
    const { task, attempt } = this.opened;
    const entry = this.#around.shadow.facts.find(task.run, task.task);
    if (entry === undefined || entry.attempts + 1 !== attempt) this.#leave();
    else this.#claim(this.#operation(), TRIES);
  }

  /** Something may have been written of its task. */
  look(): void {
    if (!this.#isCommandAlive || !this.#isAlive) return;
    const { world } = this.#around;
    const { stop, isOver } = this.#claimed();
    const isNews = isOver ? !this.#isClaimOver : stop !== undefined && stop !== this.#stopped;
    if (!isNews) return;
    world.after(world.random.between(1, 1000), () => this.#whenAwake(() => this.#heed()));
  }

  /** The terminal is closed: the command gets its grace, and it is said what became of it. */
  close(): void {
    if (!this.#isAlive || this.#isClosed) return;
    this.#isClosed = true;
    if (this.#command === undefined) this.#die();
    else if (this.#isCommandAlive) this.#stopInTime();
  }

  /** It says nothing any more, and its command hears that the terminal is gone. */
  kill(): void {
    if (!this.#isAlive) return;
    this.#die();
    const { world } = this.#around;
    const laterMs = world.random.between(10, LONGEST_ORPHAN_MS);
    world.after(laterMs, () => this.#end(byHangUp()));
  }

  freeze(): void {
    const { now, random } = this.#around.world;
    this.#frozenUntil = now + random.between(1000, LONGEST_FREEZE_MS);
  }

  /** Somebody types what it waits for. */
  heal(): void {
    const { world } = this.#around;
    this.#frozenUntil = Math.min(this.#frozenUntil, world.now);
    world.after(world.random.between(100, 10_000), () => this.#end({ kind: 'succeeded' }));
  }

  #claim(operation: string, tries: number): void {
    if (!this.#isAlive || this.#grant !== undefined) return;
    if (tries === 0) {
      this.#leave();
      return;
    }
    const { worker, task } = this.opened;
    this.#around.desk.claim({ worker, task, operation }, (grant) =>
      this.#whenAwake(() => {
        if (this.#grant !== undefined) return;
        this.#grant = grant;
        if (grant === undefined) this.#leave();
        else this.#renew(grant);
      }),
    );
    this.#around.world.after(ANSWER_MS, () => this.#claim(operation, tries - 1));
  }

  /** The first renewal says that it begins: before it, nothing is started. */
  #renew(grant: Grant): void {
    if (this.#hasEnded) return;
    this.#say(grant, { kind: 'renew' }, (reply) => this.#renewed(grant, reply));
    const intervalMs = (grant.leaseMs ?? 0) / 3;
    const againMs = this.#isCommandAlive ? Math.max(intervalMs, 1000) : ANSWER_MS;
    this.#around.world.after(againMs, () => this.#whenAwake(() => this.#renew(grant)));
  }

  #renewed(grant: Grant, reply: Reply): void {
    if (reply === 'again' || this.#hasEnded) return;
    if (reply.kind === 'stale') {
      if (this.#isCommandAlive) this.#lose();
      else this.#leave();
    } else if (this.#command === undefined) this.#start(grant);
  }

  #start({ run, task, term }: Grant): void {
    const { world, physical, shadow } = this.#around;
    const work = shadow.facts.find(run, task)?.work;
    if (work === undefined) return;
    const isActing = (): boolean => this.#isCommandAlive;
    world.checks.holds('I8', !physical.begun.has(term), () => `term ${term} starts twice`);
    world.say(`${this.opened.worker.id} starts ${world.termName(term)}`);
    this.#command = { work, term, place: undefined, isBounded: true, isActing };
    this.#isCommandAlive = true;
    physical.begin(this.#command);
    // Something may have been wanted while it started.
    this.look();
    if (world.faults.hits('processHung')) return;
    const lasts = lengthOf(work) * (0.5 + 3 * world.random.next());
    const code = world.random.between(1, 2);
    const hasFailed = world.faults.hits('processFailed');
    const failed = { kind: 'failed', failure: { kind: 'exit', code } } as const;
    world.after(lasts, () => this.#end(hasFailed ? failed : { kind: 'succeeded' }));
  }

  get #hasEnded(): boolean {
    return this.#command !== undefined && !this.#isCommandAlive;
  }

  #claimed(): { readonly isOver: boolean; readonly stop: 'terminate' | 'kill' | undefined } {
    const { run, task } = this.opened.task;
    const holder = this.#around.shadow.facts.find(run, task)?.holder;
    return { isOver: holder?.term !== this.#grant?.term, stop: holder?.stop?.signal };
  }

  #heed(): void {
    const { isOver, stop } = this.#claimed();
    if (isOver) this.#lose();
    else if (stop !== undefined) this.#signal(stop);
  }

  /** Somebody else may have the task soon: what the command does from now on does not count. */
  #lose(): void {
    if (this.#isClaimOver) return;
    this.#isClaimOver = true;
    this.#stopInTime();
  }

  #stopInTime(): void {
    this.#signal('terminate');
    this.#around.world.after(GRACE_MS, () => this.#whenAwake(() => this.#signal('kill')));
  }

  #signal(signal: 'terminate' | 'kill'): void {
    if (this.#stopped === signal || this.#stopped === 'kill') return;
    this.#stopped = signal;
    const { world } = this.#around;
    if (signal === 'kill') this.#end(bySignal('SIGKILL'));
    else if (!world.faults.hits('processIgnoredTerm'))
      world.after(world.random.between(1, 4000), () => this.#end(bySignal('SIGTERM')));
  }

  #end(end: CommandEnd): void {
    const command = this.#command;
    if (command === undefined || !this.#isCommandAlive) return;
    this.#isCommandAlive = false;
    const { physical } = this.#around;
    const outcome = this.#isClosed ? byHangUp() : end;
    physical.end(command);
    physical.truth.set(command.term, outcome);
    this.#whenAwake(() => this.#tell(outcome));
  }

  #tell(end: CommandEnd): void {
    if (this.#isClaimOver || this.#grant === undefined) this.#leave();
    else
      this.#report(this.#grant, {
        says: end.kind === 'succeeded' ? { kind: 'completed' } : end,
        operation: this.#operation(),
        tries: TRIES,
      });
  }

  #report(grant: Grant, word: { says: Saying; operation: string; tries: number }): void {
    if (!this.#isAlive) return;
    if (word.tries === 0) {
      this.#leave();
      return;
    }
    const { desk, world } = this.#around;
    const { run, task, term } = grant;
    const by = { kind: 'worker', worker: this.opened.worker.id } as const;
    desk.say({ run, task, term, by, says: word.says }, word.operation, (reply) => {
      if (reply !== 'again' && this.#isAlive) this.#leave();
    });
    world.after(ANSWER_MS, () => this.#report(grant, { ...word, tries: word.tries - 1 }));
  }

  #say({ run, task, term }: Grant, says: Saying, heard: (reply: Reply) => void): void {
    const told = (reply: Reply): void => this.#whenAwake(() => heard(reply));
    const by = { kind: 'worker', worker: this.opened.worker.id } as const;
    this.#around.desk.say({ run, task, term, by, says }, this.#operation(), told);
  }

  #operation(): string {
    this.#words += 1;
    return `${this.opened.worker.id} ${this.#words}`;
  }

  /** What reaches it while it is frozen waits. */
  #whenAwake(act: () => void): void {
    const { world } = this.#around;
    if (!this.#isAlive) return;
    if (world.now >= this.#frozenUntil) act();
    else world.after(this.#frozenUntil - world.now, () => this.#whenAwake(act));
  }

  #leave(): void {
    this.#die();
    this.#around.desk.left(this.opened.worker.id);
  }

  #die(): void {
    this.#isAlive = false;
  }
}

function byHangUp(): CommandEnd {
  return bySignal('SIGHUP');
}

function bySignal(signal: string): CommandEnd {
  return { kind: 'failed', failure: { kind: 'signal', signal } };
}
