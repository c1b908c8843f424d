import { expect, test } from 'vitest';
import type {
  Attempt,
  Launch,
  Runner,
  RunnerNews,
  StartAnswer,
} from '../../../server/engine/ports.ts';
import { EndLog } from '../end-log.ts';

/** A machine with commands that do what the test says. */
export interface RunnerBench {
  /** A runner on this machine; another one stands for the process that comes after the first. */
  open(news: RunnerNews): Runner;
  /** A command that goes on until it is told to end. Each has a term of its own. */
  launch(): Launch;
  /** A command that cannot be started. */
  brokenLaunch(): Launch;
  /** Resolves when it has begun. */
  begun(launch: Launch): Promise<void>;
  /** It ends by itself, with this exit code. */
  finish(launch: Launch, code: number): Promise<void>;
  /** It is gone at once with all that belongs to it, and nobody can say how it ended. */
  vanish(launch: Launch): Promise<void>;
}

const FAILED = { kind: 'failed', failure: { kind: 'exit', code: 3 } };

/** What the engine relies on, whatever runs the commands. */
export function runnerContract(openBench: () => RunnerBench): void {
  startContract(openBench);
  adoptContract(openBench);
  sweepContract(openBench);
}

/** Where commands live only as long as whoever started them. */
export function startContract(openBench: () => RunnerBench): void {
  for (const [code, expected] of [
    [0, { kind: 'succeeded' }],
    [3, FAILED],
  ] as const)
    test(`a command that ends with ${code} is told once, when whoever started it knows`, async () => {
      const { bench, runner, ends } = opened(openBench);
      const launch = bench.launch();
      expect(await startOf({ runner, ends }, launch)).toMatchObject({
        kind: 'started',
        process: {},
      });
      expect(ends.all).toEqual([]);
      await bench.begun(launch);
      await bench.finish(launch, code);
      expect(await ends.of(launch.term)).toEqual(expected);
      await runOther(bench, runner, ends);
      expect(ends.all.filter(([term]) => term === launch.term)).toHaveLength(1);
    });

  test('what cannot be started is said at once, in a sentence, and has no end', async () => {
    const { bench, runner, ends } = opened(openBench);
    expect(await startOf({ runner, ends }, bench.brokenLaunch())).toEqual({
      kind: 'not-started',
      message: expect.stringMatching(/^[A-Z].*\.$/),
      mayPass: false,
    });
    await runOther(bench, runner, ends);
    expect(ends.all).toHaveLength(1);
  });

  test('commands run at the same time, and each end is its own', async () => {
    const { bench, runner, ends } = opened(openBench);
    const [first, second] = [bench.launch(), bench.launch()];
    for (const launch of [first, second]) runner.start(launch);
    for (const launch of [first, second]) await bench.begun(launch);
    await bench.finish(second, 3);
    expect(await ends.of(second.term)).toEqual(FAILED);
    expect(ends.all).toHaveLength(1);
    await bench.finish(first, 0);
    expect(await ends.of(first.term)).toEqual({ kind: 'succeeded' });
  });

  lookContract(openBench);
}

function lookContract(openBench: () => RunnerBench): void {
  test('only what runs has output that is counted', async () => {
    const { bench, runner, ends } = opened(openBench);
    const launch = bench.launch();
    expect(runner.outputBytes(launch.term)).toBeUndefined();
    runner.start(launch);
    expect(runner.outputBytes(launch.term)).toBe(0);
    await bench.begun(launch);
    await bench.finish(launch, 0);
    await ends.of(launch.term);
    expect(runner.outputBytes(launch.term)).toBeUndefined();
  });

  test('a signal to what does not run reaches nobody', async () => {
    const { bench, runner, ends } = opened(openBench);
    const launch = bench.launch();
    runner.signal(launch.term, 'terminate');
    runner.signal(launch.term, 'kill');
    runner.start(launch);
    await bench.begun(launch);
    await bench.finish(launch, 0);
    expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
    runner.signal(launch.term, 'kill');
  });

  test('what runs here is still running for whoever asks', async () => {
    const { bench, runner, ends } = opened(openBench);
    const launch = bench.launch();
    const process = processOf(await startOf({ runner, ends }, launch));
    await bench.begun(launch);
    const attempt = { ...attemptOf(launch), process };
    const sights = await runner.adopt([attempt]);
    expect([...sights]).toEqual([[launch.term, { kind: 'running', process: attempt.process }]]);
    await bench.finish(launch, 0);
    expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
  });
}

function adoptContract(openBench: () => RunnerBench): void {
  test('a command goes on without whoever started it, and whoever comes next is told its end', async () => {
    const { bench, runner, ends } = opened(openBench);
    const launch = bench.launch();
    const process = processOf(await startOf({ runner, ends }, launch));
    await bench.begun(launch);
    runner.close();
    const next = new EndLog();
    const successor = bench.open(next);
    const sights = await successor.adopt([attemptOf(launch)]);
    expect([...sights]).toEqual([[launch.term, { kind: 'running', process }]]);
    expect(successor.outputBytes(launch.term)).toEqual(expect.any(Number));
    await bench.finish(launch, 3);
    expect(await next.of(launch.term)).toEqual(FAILED);
    expect(ends.all).toEqual([]);
  });

  test('a command that ended while nobody was there has ended as it did', async () => {
    const { bench, runner } = opened(openBench);
    const launch = bench.launch();
    runner.start(launch);
    await bench.begun(launch);
    runner.close();
    await bench.finish(launch, 3);
    const next = new EndLog();
    const sights = await bench.open(next).adopt([attemptOf(launch)]);
    expect([...sights]).toEqual([[launch.term, { kind: 'ended', end: FAILED }]]);
    expect(next.all).toEqual([]);
  });

  test('a command that died while nobody was there is gone', async () => {
    const { bench, runner } = opened(openBench);
    const launch = bench.launch();
    runner.start(launch);
    await bench.begun(launch);
    runner.close();
    await bench.vanish(launch);
    const sights = await bench.open(new EndLog()).adopt([attemptOf(launch)]);
    expect([...sights]).toEqual([[launch.term, { kind: 'gone', cause: 'killed' }]]);
  });

  test('a command that nobody had started by then never starts', async () => {
    const { bench, runner } = opened(openBench);
    const launch = bench.launch();
    const sights = await runner.adopt([attemptOf(launch)]);
    expect([...sights]).toEqual([[launch.term, { kind: 'never-started' }]]);
    const again = await runner.adopt([attemptOf(launch)]);
    expect([...again]).toEqual([...sights]);
  });

  test('a command that is there when its runner lost it has no end to tell', async () => {
    const { bench, runner, ends } = opened(openBench);
    const launch = bench.launch();
    runner.start(launch);
    await bench.begun(launch);
    await bench.vanish(launch);
    expect(await ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'killed' });
  });
}

function sweepContract(openBench: () => RunnerBench): void {
  test('what is swept is not alive, and does not start after that', async () => {
    const { bench, runner } = opened(openBench);
    const [running, ordered] = [bench.launch(), bench.launch()];
    runner.start(running);
    await bench.begun(running);
    runner.close();
    const successor = bench.open(new EndLog());
    expect(await successor.sweep(attemptOf(running))).toBe(true);
    expect(await successor.sweep(attemptOf(ordered))).toBe(true);
    const sights = await bench.open(new EndLog()).adopt([running, ordered].map(attemptOf));
    expect(sights.get(running.term)).toEqual({ kind: 'gone', cause: 'killed' });
    expect(sights.get(ordered.term)).toEqual({ kind: 'never-started' });
  });
}

/** What a request to end does where commands are processes. */
export function signalContract(openBench: () => RunnerBench): void {
  for (const [signal, name] of [
    ['terminate', 'SIGTERM'],
    ['kill', 'SIGKILL'],
  ] as const)
    test(`a command that is signalled to ${signal} fails with ${name}`, async () => {
      const { bench, runner, ends } = opened(openBench);
      const launch = bench.launch();
      runner.start(launch);
      await bench.begun(launch);
      runner.signal(launch.term, signal);
      const failure = { kind: 'signal', signal: name };
      expect(await ends.of(launch.term)).toEqual({ kind: 'failed', failure });
      await runOther(bench, runner, ends);
    });
}

function opened(openBench: () => RunnerBench) {
  const bench = openBench();
  const ends = new EndLog();
  return { bench, ends, runner: bench.open(ends) };
}

/** Something that ends later than whatever has been asked for before. */
async function runOther(bench: RunnerBench, runner: Runner, ends: EndLog): Promise<void> {
  const launch = bench.launch();
  runner.start(launch);
  await bench.begun(launch);
  await bench.finish(launch, 0);
  expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
}

/** What becomes of a start, also where the order has a way to go. */
async function startOf(
  { runner, ends }: { readonly runner: Runner; readonly ends: EndLog },
  launch: Launch,
): Promise<StartAnswer> {
  const result = runner.start(launch);
  return result.kind === 'ordered' ? await ends.startOf(launch.term) : result;
}

function attemptOf(launch: Launch): Attempt {
  const { place, run, definition, term } = launch;
  return { place, run, task: definition.id, term, process: undefined, launch };
}

function processOf(started: StartAnswer): Attempt['process'] {
  return started.kind === 'started' ? started.process : undefined;
}
