import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { RunManifest } from '../../server/domain/run.ts';
import type { RunRequest } from '../../server/engine/run-request.ts';
import { answerControl, type ControlRequest } from '../../server/scheduler/requests/control.ts';
import { speakerFor } from '../support/board-play.ts';
import { answerHolder } from '../../server/scheduler/requests/settle.ts';
import type { Coordinator } from './coordinator.ts';
import { runId, taskId, workerId } from './ids.ts';
import { AGENT, makeTask } from './plans.ts';
import { checkSubmitted } from './submit-checks.ts';
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
      () => this.#submitAgain(),
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

  /** Within a turn. */
  control(request: ControlRequest): void {
    const answer = answerControl(this.#coordinator.board, request, this.#coordinator.now());
    if (answer.kind === 'accepted') this.#coordinator.record(answer.events);
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
      () => this.#drain(),
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

  /** Somebody gets nothing new for a while. */
  #drain(): void {
    const { workers } = this.#coordinator.board;
    const runners = [...workers.places.values()].map(({ runner }) => runner);
    const worker = this.#world.random.pick([...runners, ...workers.sessions.keys()]);
    this.#ask({ kind: 'drain-worker', worker });
    const laterMs = this.#world.random.between(100, 60_000);
    this.#world.after(laterMs, () => this.#ask({ kind: 'undrain-worker', worker }));
  }

  #ask(request: ControlRequest): void {
    this.#note(request.kind);
    if (this.#world.random.chance(0.3)) this.#askTwice(request);
    else {
      this.#count += 1;
      this.#send(request, `operator ${this.#count}`, 3);
    }
  }

  /** Whoever hears nothing, or that it could not be written, asks again for the same. */
  #send(request: ControlRequest, operation: string, tries: number): void {
    let isAnswered = false;
    this.#coordinator.ask(
      (calls) => calls.control(request, operation),
      (answer) => {
        isAnswered = answer !== 'again';
        if (answer === 'again' || answer.kind !== 'accepted') return;
        const isWritten = this.#around.ledger.isApplied(operation);
        this.#world.checks.holds('answered', isWritten, () => `${operation} is not written`);
        // The answer may be lost on the way.
        if (tries > 0 && this.#world.random.chance(0.2)) this.#send(request, operation, 0);
      },
    );
    this.#world.after(5000, () => {
      if (!isAnswered && tries > 0) this.#send(request, operation, tries - 1);
    });
  }

  /** Whatever is wished for twice is so already. */
  #askTwice(request: ControlRequest): void {
    this.#coordinator.receive(() => {
      this.control(request);
      if (request.kind === 'rebuild') return;
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

  /** Takes one task out of a plan, changes one, adds one, puts one back that was taken out. */
  #revise(): void {
    const { random } = this.#world;
    const { runs } = this.#around.shadow.facts;
    const all = [...runs.values()];
    const awaited = all.filter((run) => all.some((other) => other.waitsFor(run)));
    const isAwaited = awaited.length > 0 && random.chance(0.7);
    const run = isAwaited ? random.pick(awaited).manifest.id : this.#anyRun();
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
      const gone = [...shadow.left.keys()].filter((id) => !shadow.tasks.has(id));
      if (gone.length > 0 && random.chance(0.5)) {
        const id = random.pick(gone);
        tasks.push(makeTask(random, { taste, id, ids: [...ids, id] }));
      }
      return tasks.length === 0 ? undefined : { kind: 'runRevised', at, run, tasks };
    });
  }

  #own(): void {
    const { random } = this.#world;
    this.#note('pathsOwned');
    this.#count += 1;
    const operation = `own ${this.#count}`;
    const lastsMs = random.chance(0.6) ? random.between(1000, 120_000) : undefined;
    const request = {
      id: `buffer-${random.below(3)}`,
      worker: workerId(random.pick(['person/1', 'editor/2'])),
      tree: random.pick(['/tree/one', '/tree/two']),
      reads: random.chance(0.2) ? [random.pick(PATTERNS)] : [],
      writes: [random.pick(PATTERNS)],
      isUnsaved: random.chance(0.5),
      ...(lastsMs !== undefined && { until: instant(this.#coordinator.now() + lastsMs) }),
    };
    this.#coordinator.ask(
      (calls) => calls.own(request, operation),
      (answer) => {
        if (answer === 'again' || answer.kind !== 'accepted') return;
        const isWritten = this.#around.ledger.isApplied(operation);
        this.#world.checks.holds('answered', isWritten, () => `${operation} is not written`);
      },
    );
  }

  #free(): void {
    this.#note('pathsFreed');
    const [id] = this.#coordinator.board.owners.people.keys();
    if (id === undefined) return;
    this.#coordinator.ask(
      (calls) => calls.free(id),
      () => {},
    );
  }

  #trust(): void {
    const { random } = this.#world;
    const permission = random.chance(0.5) ? 'untrusted' : 'shutting-down';
    this.#note(permission);
    this.permit(permission);
    this.#world.after(random.between(1000, 60_000), () => this.permit('granted'));
  }

  permit(permission: Coordinator['permission']): void {
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
      if (entry.definition.asks?.stuckAfterMs !== undefined) return;
      if (kind === 'stuck' && entry.state.kind === 'attention') return;
      const by = speakerFor(holder.worker);
      const { term } = holder;
      const which = { run: entry.run.manifest.id, task: entry.definition.id, term, by };
      const answer = answerHolder(board, { ...which, says: { kind } }, this.#coordinator.now());
      if (answer.kind === 'accepted') this.#coordinator.record(answer.events);
    });
  }

  /** Asks for the same once more, or for what has become of its plan. */
  #submitAgain(): void {
    const run = this.#anyRun();
    const manifest =
      run === undefined ? undefined : this.#around.shadow.facts.runs.get(run)?.manifest;
    if (manifest === undefined) return;
    this.#note('submitAgain');
    const { random } = this.#world;
    this.#count += 1;
    const asked = requestOf(manifest);
    const { allRuns } = this.#around.shadow.facts;
    const refersTo = (manifest.outside ?? []).flatMap(({ reference, run: other, task }) => {
      const plan = allRuns.get(other)?.manifest.plan;
      return plan === undefined ? [] : [{ reference, plan, task }];
    });
    const isEdited = random.chance(0.3);
    const request = {
      ...asked,
      id: runId(`again-${1000 + this.#count}`),
      policy: { ...asked.policy, parallel: random.between(1, 5) },
      isNew: random.chance(0.2),
      refersTo,
      ...(isEdited && { planHash: `${asked.planHash}+`, tasks: asked.tasks.slice(1) }),
    };
    if (request.tasks.length > 0) this.submit([request]);
  }

  /** Answers whether the last of them, for which the others are, is on the board. */
  submit(requests: readonly RunRequest[], done: (isKnown: boolean) => void = () => {}): void {
    const { world, ledger } = this.#around;
    const request = requests.at(-1)!;
    let isRepeated = false;
    this.#coordinator.ask(
      async (calls) => {
        isRepeated = ledger.isApplied(`submit ${request.id}`);
        if (requests.length === 1) return [await calls.submit(request)];
        return await calls.submitTogether(requests);
      },
      (answers) => {
        const isKnown = answers !== 'again' && checkSubmitted(this.#around, { requests, answers });
        const last = answers === 'again' ? 'again' : answers.at(-1)!;
        const isSame =
          last === 'again' || last.kind === 'untrusted'
            ? true
            : last.kind === 'started' && last.run === request.id;
        world.checks.holds('I12', !isRepeated || isSame, () => `${request.id} is asked for again`);
        done(isKnown);
      },
    );
  }
}

/** Somebody asks for what a run does. */
export function requestOf(manifest: RunManifest): RunRequest {
  const { requestedAt: _, outside: _outside, ...asked } = manifest;
  return { ...asked, isNew: false };
}
