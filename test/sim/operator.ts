import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import { answerControl, type ControlRequest } from '../../server/scheduler/requests/control.ts';
import { answerOwn } from '../../server/scheduler/requests/own.ts';
import { answerHolder } from '../../server/scheduler/requests/settle.ts';
import type { Coordinator } from './coordinator.ts';
import { taskId, workerId } from './ids.ts';
import { AGENT, makeTask } from './plans.ts';
import type { Surroundings } from './surroundings.ts';
import { PATTERNS } from './work.ts';
import { spoilHost, weatherOf } from './weather.ts';
import type { World } from './world.ts';

/** Whoever sits at the board, and the weather. */
export class Operator {
  readonly #around: Surroundings;
  readonly #world: World;
  readonly #coordinator: Coordinator;
  readonly #actions: readonly (() => void)[];
  #count = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#world = around.world;
    this.#coordinator = around.coordinator;
    const { random } = around.world;
    const all = [
      ...this.#wishes(),
      () => this.#revise(),
      () => this.#own(),
      () => this.#free(),
      () => this.#trust(),
      () => this.#load(),
      () => this.#agent(),
      () => this.#stuck(),
      ...weatherOf(around),
    ];
    this.#actions = all.filter(() => random.chance(0.4));
  }

  /** Does something now and then, until `endAt`. */
  begin(endAt: number): void {
    const { random } = this.#world;
    if (this.#around.taste.hosts > 0.9) spoilHost(this.#around);
    const most = random.below(14);
    for (let count = 0; count < most && this.#actions.length > 0; count += 1) {
      const action = random.pick(this.#actions);
      this.#world.after(random.next() * endAt, () => {
        if (!this.#world.faults.isOver) action();
      });
    }
  }

  /** Answers whether it was written. */
  control(request: ControlRequest): boolean {
    const { board } = this.#coordinator;
    const answer = answerControl(board, request, this.#coordinator.now());
    this.#note(request.kind);
    if (answer.kind === 'refused') return answer.why.kind !== 'queue-full';
    return this.#coordinator.record(answer.events);
  }

  #wishes(): (() => void)[] {
    const kinds = [
      'cancel-task',
      'retry-task',
      'answer-task',
      'pause-task',
      'resume-task',
    ] as const;
    const ofTask = [...kinds, ...kinds].map((kind) => () => {
      const which = this.#anyTask();
      if (which !== undefined) this.#ask({ kind, ...which });
    });
    return [
      ...ofTask,
      () => this.#changeMind(),
      () => this.#ask({ kind: 'pause-board' }),
      () => this.#ask({ kind: 'resume-board' }),
      () => this.#ask({ kind: 'rebuild' }),
      () => {
        const run = this.#anyRun();
        if (run !== undefined) this.#ask({ kind: 'stop-run', run });
      },
      () => {
        const run = this.#anyRun();
        if (run === undefined) return;
        const kind = this.#world.random.chance(0.5) ? 'runInterrupted' : 'runResumed';
        this.#record(kind, (at) =>
          this.#coordinator.board.runs.has(run) ? { kind, at, run } : undefined,
        );
      },
    ];
  }

  #ask(request: ControlRequest): void {
    this.#coordinator.receive(() => {
      const isDone = this.control(request);
      if (!isDone || !this.#coordinator.isUp || request.kind === 'rebuild') return;
      const again = answerControl(this.#coordinator.board, request, this.#coordinator.now());
      const changes = again.kind === 'accepted' && again.events.length > 0;
      this.#world.checks.holds('I12', !changes, () => `${request.kind} counts twice`);
    });
  }

  #record(
    what: string,
    make: (at: Instant) => Parameters<Coordinator['record']>[0][number] | undefined,
  ): void {
    this.#note(what);
    this.#coordinator.receive(() => {
      const event = make(this.#coordinator.now());
      if (event !== undefined) this.#coordinator.record([event]);
    });
  }

  #note(what: string): void {
    this.#world.faults.note(what);
    this.#world.say(`operator ${what}`);
  }

  #anyRun(): RunId | undefined {
    const runs = [...this.#around.shadow.facts.runs.keys()];
    return runs.length === 0 ? undefined : this.#world.random.pick(runs);
  }

  #anyTask(): { run: RunId; task: TaskId } | undefined {
    const run = this.#anyRun();
    const tasks = run === undefined ? undefined : this.#around.shadow.facts.runs.get(run)?.tasks;
    if (run === undefined || tasks === undefined) return undefined;
    const { random } = this.#world;
    const held = [...tasks].flatMap(([id, { holder }]) => (holder === undefined ? [] : [id]));
    const isHeld = held.length > 0 && random.chance(0.5);
    return { run, task: random.pick(isHeld ? held : [...tasks.keys()]) };
  }

  /** Cancels a task and what it needs, and wants it all the same some time later. */
  #changeMind(): void {
    const which = this.#anyTask();
    if (which === undefined) return;
    const task = this.#around.shadow.facts.find(which.run, which.task);
    for (const id of [which.task, ...(task?.work.definition.dependsOn ?? [])])
      this.#ask({ kind: 'cancel-task', run: which.run, task: id });
    const laterMs = this.#world.random.between(100, 20_000);
    this.#world.after(laterMs, () => this.#ask({ kind: 'retry-task', ...which }));
  }

  /** Takes one task out of a plan, changes one, adds one. */
  #revise(): void {
    const { random } = this.#world;
    const run = this.#anyRun();
    if (run === undefined) return;
    this.#record('runRevised', (at) => {
      const shadow = this.#around.shadow.facts.runs.get(run);
      if (shadow === undefined) return undefined;
      let tasks = [...shadow.tasks.values()].map(({ work }) => work.definition);
      if (random.chance(0.5))
        tasks = tasks.filter((_, index) => index !== random.below(tasks.length));
      const { taste } = this.#around;
      const ids = tasks.map(({ id }) => id);
      if (random.chance(0.6) && tasks.length > 0) {
        const id = random.pick(ids);
        const changed = makeTask(random, { taste, id, ids });
        tasks = tasks.map((task) => (task.id === id ? changed : task));
      }
      if (random.chance(0.5)) {
        this.#count += 1;
        const id = taskId(`new${this.#count}`);
        tasks.push(makeTask(random, { taste, id, ids: [...ids, id] }));
      }
      return tasks.length === 0 ? undefined : { kind: 'runRevised', at, run, tasks };
    });
  }

  #own(): void {
    const { random } = this.#world;
    this.#record('pathsOwned', (at) => {
      const isUnsaved = random.chance(0.5);
      const request = {
        id: `buffer-${random.below(3)}`,
        worker: workerId(random.pick(['person/1', 'editor/2'])),
        tree: random.pick(['/tree/one', '/tree/two']),
        reads: random.chance(0.2) ? [random.pick(PATTERNS)] : [],
        writes: [random.pick(PATTERNS)],
        isUnsaved,
        ...(random.chance(0.6) && { until: instant(at + random.between(1000, 120_000)) }),
      };
      const answer = answerOwn(this.#coordinator.board, request, at);
      return answer.kind === 'accepted' ? answer.event : undefined;
    });
  }

  #free(): void {
    this.#record('pathsFreed', (at) => {
      const [id] = this.#coordinator.board.owners.people.keys();
      return id === undefined ? undefined : { kind: 'pathsFreed', at, id };
    });
  }

  #trust(): void {
    const { random } = this.#world;
    const permission = random.chance(0.5) ? 'untrusted' : 'shutting-down';
    this.#note(permission);
    this.permit(permission);
    this.#world.after(random.between(1000, 60_000), () => this.permit('granted'));
  }

  permit(permission: Coordinator['permission']): void {
    this.#around.shadow.facts.isPermitted = permission === 'granted';
    this.#coordinator.permit(permission);
  }

  #load(): void {
    const { random } = this.#world;
    this.#record('loadMeasured', (at) => ({
      kind: 'loadMeasured',
      at,
      load: {
        queueLimit: random.pick([3, 20, 10_000]),
        memory: random.chance(0.5) ? 0.2 : 0.7 + 0.3 * random.next(),
        cpu: random.chance(0.5) ? 0.2 : 0.8 + 0.2 * random.next(),
      },
    }));
  }

  #agent(): void {
    const { random } = this.#world;
    this.#record('agentConfigured', (at) => {
      const capabilities = random.chance(0.5) ? ['fast'] : [];
      const agent = { name: AGENT, capabilities, mayBeStarted: random.chance(0.5) };
      return { kind: 'agentConfigured', at, agent };
    });
  }

  #stuck(): void {
    const kind = this.#world.random.chance(0.6) ? 'stuck' : 'progressed';
    this.#note(kind);
    this.#coordinator.receive(() => {
      const { board } = this.#coordinator;
      const [claim] = [...board.claims.pushed, ...board.claims.pulled];
      if (claim?.holder.kind !== 'running') return;
      const { entry, holder } = claim;
      if (kind === 'stuck' && entry.state.kind === 'attention') return;
      const which = { run: entry.run.manifest.id, task: entry.definition.id, term: holder.term };
      const answer = answerHolder(board, { ...which, says: { kind } }, this.#coordinator.now());
      if (answer.kind === 'accepted') this.#coordinator.record(answer.events);
    });
  }
}
