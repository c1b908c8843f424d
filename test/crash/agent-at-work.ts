import { setTimeout as pause } from 'node:timers/promises';
import { parseRunId, parseTaskId, type WorkerId } from '../../server/domain/ids.ts';
import type { BoardCalls } from '../../server/engine/board-calls.ts';
import type { Grant } from '../../server/engine/store-port.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import { instant } from '../../server/domain/time.ts';
import type { AgentHabits } from './agent-habits.ts';
import { type Desk, insist } from './part-options.ts';
import type { Journal } from './probe.ts';

const LOOK_AGAIN_MS = 100;

/**
 * Claims whatever there is, works on it, and keeps a record of all that it asked for and was promised.
 * When it is killed, the next one of its name goes on from that record, as an agent with a memory does.
 */
export class AgentAtWork {
  readonly #desk: Desk;
  readonly #worker: Worker;
  readonly #leaseMs: number;
  readonly #asleepMs: number;

  constructor(desk: Desk, id: WorkerId, { leaseMs, asleepMs }: AgentHabits) {
    this.#desk = desk;
    const since = instant(0);
    this.#worker = { id, kind: 'agent', capabilities: [], isIdle: true, since };
    this.#leaseMs = leaseMs;
    this.#asleepMs = asleepMs;
  }

  async work(): Promise<void> {
    const { stirring } = this.#desk;
    const left = lastOf(this.#desk.journal, this.#worker.id);
    if (left?.grant !== undefined) await this.#do(left.grant, left.hasStarted);
    else if (left !== undefined) await this.#ask(left.operation);
    while (!stirring.isOver) {
      const operation = this.#operation();
      this.#desk.journal.write('asks', this.#worker.id, operation);
      if (!(await this.#ask(operation))) await stirring.within(LOOK_AGAIN_MS);
    }
  }

  /** Whether it was given something. */
  async #ask(operation: string): Promise<boolean> {
    const call = { worker: this.#worker, leaseMs: this.#leaseMs, operation };
    const reply = await insist(this.#desk, async () => this.#calls().claim(call));
    if (reply?.kind !== 'granted') return false;
    const { run, task, term } = reply.grant;
    this.#desk.journal.write('granted', `${run}/${task}`, term, this.#worker.id, operation);
    await this.#do(reply.grant, false);
    return true;
  }

  async #do({ run, task, term }: Held, hasStarted: boolean): Promise<void> {
    const { journal, random } = this.#desk;
    const holder = { run, task, term };
    if (!(await this.#says(holder, { kind: 'renew' }, this.#operation()))) return;
    if (!hasStarted) journal.write('start', `${run}/${task}`, term, process.pid);
    const isAsleep = this.#asleepMs > 0 && random.chance(0.1);
    await pause(isAsleep ? this.#asleepMs : random.below(80));
    if (random.chance(0.3) && !(await this.#says(holder, { kind: 'renew' }, this.#operation())))
      return;
    const operation = this.#operation();
    if (await this.#says(holder, { kind: 'completed' }, operation))
      journal.write('done', `${run}/${task}`, term, operation);
  }

  async #says(
    holder: Held,
    says: { readonly kind: 'renew' | 'completed' },
    operation: string,
  ): Promise<boolean> {
    const said = { ...holder, by: { kind: 'worker', worker: this.#worker.id } as const, says };
    const reply = await insist(this.#desk, async () => this.#calls().say(said, operation));
    return reply?.kind === 'accepted';
  }

  #operation(): string {
    return this.#desk.world.ids.operation();
  }

  #calls(): BoardCalls {
    const { opened } = this.#desk.board;
    if (opened === undefined) throw new Error('The board cannot be opened now.');
    return opened.keeper.calls;
  }
}

type Held = Pick<Grant, 'run' | 'task' | 'term'>;

interface Left {
  readonly operation: string;
  readonly grant: Held | undefined;
  readonly hasStarted: boolean;
}

/** What the one before it asked for last, and what came of it. */
function lastOf(journal: Journal, worker: string): Left | undefined {
  let left: Left | undefined;
  for (const [word, first = '', second = '', third] of journal.read()) {
    if (word === 'asks' && first === worker)
      left = { operation: second, grant: undefined, hasStarted: false };
    if (left === undefined) continue;
    if (word === 'granted' && third === worker) left = { ...left, grant: heldBy(first, second) };
    const isAboutIt = left.grant?.term === Number(second);
    if (word === 'start' && isAboutIt) left = { ...left, hasStarted: true };
    if (word === 'done' && isAboutIt) left = undefined;
  }
  return left;
}

function heldBy(key: string, term: string): Held | undefined {
  const [run = '', task = ''] = key.split('/');
  const [runId, taskId] = [parseRunId(run), parseTaskId(task)];
  if (runId === undefined || taskId === undefined) return undefined;
  return { run: runId, task: taskId, term: Number(term) };
}
