import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Launch, RunnerNews, Sight } from '../../../server/engine/ports.ts';
import { machineOrder } from '../../../server/remote/machine-order.ts';
import { MachineRunner } from '../../../server/remote/machine-runner.ts';
import { PulledLogs } from '../../../server/remote/pulled-logs.ts';
import { sshLink } from '../../../server/remote/ssh/ssh-link.ts';
import { definition, runId } from '../../support/runs.ts';
import { isFinal, Ledger, logOf } from '../faults/ledger.ts';
import { type FaultTask, scriptOf, type Setup } from '../faults/setup.ts';

/** Gets the tasks of one host done, each once, whatever happens to the way there. */
class HostDesk {
  readonly #host: string;
  readonly #setup: Setup;
  readonly #runner: MachineRunner;
  readonly #waiting: FaultTask[];
  /** What has been ordered, and not ended. */
  readonly #open = new Map<number, FaultTask>();
  /** Of these somebody has to ask. */
  readonly #unseen = new Set<number>();
  #isAsking = false;

  constructor(host: string, setup: Setup, open: ReadonlyMap<number, FaultTask>) {
    [this.#host, this.#setup] = [host, setup];
    const taken = new Set(ledger.read().flatMap((entry) => (isFinal(entry) ? [entry.task] : [])));
    for (const [term, task] of open) {
      this.#open.set(term, task);
      this.#unseen.add(term);
      taken.add(task.id);
    }
    this.#waiting = setup.tasks.filter((task) => task.host === host && !taken.has(task.id));
    this.#runner = this.#newRunner();
    void this.#askForUnseen();
    this.#fill();
  }

  get isDone(): boolean {
    return this.#waiting.length === 0 && this.#open.size === 0;
  }

  close(): void {
    this.#runner.close();
  }

  #newRunner(): MachineRunner {
    const { board, timing, sshConfig, folder } = this.#setup;
    return new MachineRunner({
      link: sshLink(this.#host, { env: process.env, configFile: sshConfig }),
      board,
      word: board,
      ...(timing && { timing }),
      newWord: () => randomBytes(16).toString('hex'),
      random: () => randomInt(1000) / 1000,
      faulted: (error) => {
        throw error;
      },
      news: this.#news(),
      logs: new PulledLogs(),
      supply: {
        prepare: async (launch) =>
          machineOrder(launch, { board, repo: 'lab', folder: '/', environment: {} }),
        collect: async () => 'here',
        terms: async () => [],
        discard: async () => {},
        close: () => {},
        logFile: ({ term }) => logOf(folder, term),
      },
      onState: ({ kind }) => {
        if (kind === 'reachable') void this.#askForUnseen();
      },
    });
  }

  #news(): RunnerNews {
    return {
      started: (term, result) => {
        const task = this.#open.get(term);
        if (task === undefined) throw new Error(`Term ${term} has ended, and starts.`);
        if (result.kind === 'started') say({ term, task: task.id, what: 'started' });
        else this.#again(term, task, 'given-back');
      },
      ended: (term, end) => {
        const task = this.#open.get(term);
        if (task === undefined) throw new Error(`Term ${term} has ended twice.`);
        this.#end(term, task, { kind: 'ended', end });
      },
      outOfSight: (term) => {
        const task = this.#open.get(term);
        if (task === undefined) return;
        say({ term, task: task.id, what: 'out-of-sight' });
        this.#unseen.add(term);
      },
      placeSeen: () => {},
      placeGone: () => {},
    };
  }

  #fill(): void {
    while (this.#open.size < this.#setup.slots) {
      const task = this.#waiting.shift();
      if (task === undefined) break;
      lastTerm += 1;
      this.#open.set(lastTerm, task);
      say({ term: lastTerm, task: task.id, what: 'ordered' });
      this.#runner.start(this.#launch(lastTerm, task));
    }
    lookWhetherDone();
  }

  /** Each time the machine is there it is asked once for what nobody has seen. */
  async #askForUnseen(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const attempts = [...this.#unseen].map((term) => this.#attempt(term));
    const sights = await this.#runner.adopt(attempts);
    for (const [term, sight] of sights) {
      const task = this.#open.get(term);
      this.#unseen.delete(term);
      if (task !== undefined && sight.kind !== 'running') this.#end(term, task, sight);
    }
    this.#isAsking = false;
    this.#settle();
  }

  /** What is found out is in the ledger when all of it is. */
  #settle(): void {
    if (!this.#isAsking) this.#runner.settled();
  }

  #end(term: number, task: FaultTask, sight: Exclude<Sight, { kind: 'running' }>): void {
    if (sight.kind === 'never-started') this.#again(term, task, 'given-back');
    else {
      const end = sight.kind === 'ended' ? sight.end : ({ ...sight, kind: 'lost' } as const);
      say({ term, task: task.id, what: 'ended', end });
      if (end.kind === 'lost') this.#waiting.push(task);
      this.#open.delete(term);
      this.#settle();
      this.#fill();
    }
  }

  #again(term: number, task: FaultTask, what: 'given-back'): void {
    say({ term, task: task.id, what });
    this.#open.delete(term);
    this.#waiting.push(task);
    this.#settle();
    this.#fill();
  }

  #attempt(term: number): Parameters<MachineRunner['adopt']>[0][number] {
    const task = this.#open.get(term);
    if (task === undefined) throw new Error(`Term ${term} is not open.`);
    const launch = this.#launch(term, task);
    const { run, place } = launch;
    return { place, run, task: launch.definition.id, term, process: undefined, launch };
  }

  #launch(term: number, task: FaultTask): Launch {
    return {
      place: this.#host,
      root: '/',
      definition: definition(task.id, {
        command: { kind: 'shell', script: scriptOf(task) },
        asks: { isInSession: task.isInSession === true },
      }),
      run: runId(1),
      revision: 1,
      attempt: 1,
      term,
    };
  }
}

const [, , file = ''] = process.argv;
const setup: Setup = JSON.parse(readFileSync(file, 'utf8'));
const ledger = new Ledger(setup.folder);
const entries = ledger.read();
let lastTerm = Math.max(0, ...entries.map(({ term }) => term));
const desks: HostDesk[] = [];
let isDone = false;

function say(entry: Parameters<Ledger['write']>[0]): void {
  ledger.write(entry);
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

function lookWhetherDone(): void {
  if (isDone || desks.length === 0 || !desks.every((desk) => desk.isDone)) return;
  isDone = true;
  process.stdout.write('"done"\n');
}

const open = new Map<number, FaultTask>();
for (const { term, task, what } of entries) {
  const found = setup.tasks.find(({ id }) => id === task);
  if (what === 'ordered' && found !== undefined) open.set(term, found);
  else if (what === 'ended' || what === 'given-back') open.delete(term);
}
for (const host of new Set(setup.tasks.map((task) => task.host)))
  desks.push(
    new HostDesk(host, setup, new Map([...open].filter(([, task]) => task.host === host))),
  );
lookWhetherDone();

// Whoever has started it says when to go, or is gone.
const lines = createInterface({ input: process.stdin });
lines.on('close', () => {
  for (const desk of desks) desk.close();
});
