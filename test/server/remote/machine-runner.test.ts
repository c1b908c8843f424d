import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Attempt, Launch } from '../../../server/engine/ports.ts';
import { runnerContract, signalContract } from '../../support/contracts/runner-contract.ts';
import { EndLog } from '../../support/end-log.ts';
import { shell } from '../runners/command-bench.ts';
import { MachineBench, type MachineBenchOptions } from './machine-bench.ts';

const QUICK = {
  retryMs: { first: 5, most: 20 },
  beatMs: 50,
  silenceMs: 1000,
  staleMs: 100,
};

for (const [name, options] of [
  ['in sessions', {}],
  ['in terminals of sessions', { isInTerminal: true }],
  ['in sessions of a machine far away', { isFar: true }],
  ['in terminals of a machine far away', { isFar: true, isInTerminal: true }],
  ['where there is no tmux', { isFar: true, hasTmux: false }],
] as const satisfies readonly (readonly [string, MachineBenchOptions])[])
  describe(name, () => {
    runnerContract(() => new MachineBench(options));
    signalContract(() => new MachineBench(options));

    test('all that it prints is kept, to the byte', async () => {
      const bench = new MachineBench(options);
      const ends = new EndLog();
      const runner = bench.open(ends);
      const launch = bench.launch(
        shell('i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo "line $i"; done'),
      );
      runner.start(launch);
      expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
      const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`);
      expect(bench.outputOf(launch).replaceAll('\r\n', '\n')).toBe(`${lines.join('\n')}\n`);
    });

    test('nothing is left of what is known to have ended', async () => {
      const bench = new MachineBench(options);
      const ends = new EndLog();
      const runner = bench.open(ends);
      const launch = bench.launch(shell('true'));
      runner.start(launch);
      await ends.of(launch.term);
      expect(existsSync(bench.fileOf(launch, 'result'))).toBe(true);
      runner.settled();
      await vi.waitFor(() =>
        expect(readdirSync(path.dirname(bench.fileOf(launch, 'result')))).toEqual([]),
      );
    });
  });

test('what nobody asks for any more is removed by whoever comes next', async () => {
  const bench = new MachineBench();
  const ends = new EndLog();
  const runner = bench.open(ends);
  const [spent, running] = [bench.launch(shell('true')), bench.launch()];
  runner.start(spent);
  runner.start(running);
  await ends.of(spent.term);
  await bench.begun(running);
  runner.close();
  const next = bench.open(new EndLog());
  await next.adopt([attemptOf(running)]);
  const folder = path.dirname(bench.fileOf(spent, 'result'));
  const isOfRunning = (name: string): boolean => name.startsWith(`${running.term}.`);
  await vi.waitFor(() => expect(readdirSync(folder).every(isOfRunning)).toBe(true));
});

describe('while nobody reaches the machine', () => {
  test('a command goes on, and its end and all of its output are told when it is reached again', async () => {
    const { bench, runner, ends } = far();
    const launch = bench.launch(
      shell(
        'mkfifo go; i=0; while [ $i -lt 500 ]; do i=$((i + 1)); echo $i; done; echo begun >begun-$INTERLOCK_TERM; read x <go; echo last',
      ),
    );
    runner.start(launch);
    await bench.begun(launch);
    bench.cable.pull();
    await writeFile(path.join(bench.root, 'go'), 'go\n');
    bench.cable.plug();
    expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
    const numbers = Array.from({ length: 500 }, (_, at) => `${at + 1}\n`);
    expect(bench.outputOf(launch)).toBe(`${numbers.join('')}last\n`);
    expect(ends.starts).toHaveLength(1);
    expect(ends.all).toHaveLength(1);
  });

  test('what was ordered starts when it is reached, once', async () => {
    const { bench, runner, ends } = far();
    bench.cable.pull();
    const launches = Array.from({ length: 5 }, () =>
      bench.launch(shell('echo $INTERLOCK_TERM >>all')),
    );
    for (const launch of launches) runner.start(launch);
    bench.cable.plug();
    for (const { term } of launches) expect(await ends.of(term)).toEqual({ kind: 'succeeded' });
    expect(ends.all).toHaveLength(5);
  });

  test('what is asked to end ends when it is reached', async () => {
    const { bench, runner, ends } = far();
    const launch = bench.launch();
    runner.start(launch);
    await bench.begun(launch);
    bench.cable.pull();
    runner.signal(launch.term, 'kill');
    bench.cable.plug();
    expect(await ends.of(launch.term)).toMatchObject({ failure: { signal: 'SIGKILL' } });
  });
});

describe('a process that was stopped, and taken over meanwhile,', () => {
  test('sends no order again', async () => {
    const bench = new MachineBench({ isFar: true, timing: QUICK });
    const [launch, asked] = [bench.launch(), takenOver()];
    bench.cable.pull();
    bench.open(new EndLog(), asked.mayAct).start(launch);
    asked.decides = false;
    bench.cable.plug();
    await vi.waitFor(() => expect(asked.times).toBeGreaterThan(3));
    const sights = await bench.open(new EndLog()).adopt([attemptOf(launch)]);
    expect(sights.get(launch.term)).toEqual({ kind: 'never-started' });
  });

  test('ends nothing', async () => {
    const bench = new MachineBench({ isFar: true, timing: QUICK });
    const [launch, asked] = [bench.launch(), takenOver()];
    const runner = bench.open(new EndLog(), asked.mayAct);
    runner.start(launch);
    await bench.begun(launch);
    asked.decides = false;
    runner.signal(launch.term, 'kill');
    await vi.waitFor(() => expect(asked.times).toBeGreaterThan(3));
    const next = bench.open(new EndLog());
    const sights = await next.adopt([attemptOf(launch)]);
    expect(sights.get(launch.term)).toMatchObject({ kind: 'running' });
    next.signal(launch.term, 'kill');
  });
});

describe('when nobody has reached the machine for long', () => {
  test('after a while nobody waits for it, and it is found again', async () => {
    const { bench, runner, ends } = far();
    const launch = bench.launch();
    runner.start(launch);
    await bench.begun(launch);
    bench.cable.pull();
    await vi.waitFor(() => expect(ends.unseen).toEqual([launch.term]));
    expect(bench.states.at(-1)).toBe('unhealthy');
    expect(await runner.adopt([attemptOf(launch)])).toEqual(new Map());
    expect(await runner.sweep(attemptOf(launch))).toBe(false);
    bench.cable.plug();
    await vi.waitFor(() => expect(bench.states.at(-1)).toBe('reachable'));
    const sights = await runner.adopt([attemptOf(launch)]);
    expect(sights.get(launch.term)?.kind).toBe('running');
    await bench.finish(launch, 0);
    expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
  });

  test('whatever is cut off at any time, each command runs once and has one end', async () => {
    const { bench, runner, ends } = far();
    const launches = Array.from({ length: 40 }, () =>
      bench.launch(shell('echo $INTERLOCK_TERM >>all; echo out')),
    );
    const all = launches.map(async ({ term }) => await ends.of(term));
    for (const launch of launches) {
      runner.start(launch);
      await new Promise((resolve) => setImmediate(resolve));
      bench.cable.pull();
      bench.cable.plug();
    }
    expect(await Promise.all(all)).toEqual(launches.map(() => ({ kind: 'succeeded' })));
    expect(ends.all).toHaveLength(launches.length);
    for (const launch of launches) expect(bench.outputOf(launch)).toBe('out\n');
    expect(bench.linesOf('all').toSorted()).toEqual(
      launches.map(({ term }) => String(term)).toSorted(),
    );
  });
});

test('what dies without a word is noticed, and its group dies with it', async () => {
  const bench = new MachineBench();
  const ends = new EndLog();
  const runner = bench.open(ends);
  const launch = bench.launch();
  runner.start(launch);
  await bench.begun(launch);
  bench.killHead(launch);
  expect(await ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'killed' });
});

test('after the machine was started anew its commands are lost with it', async () => {
  const bench = new MachineBench();
  const runner = bench.open(new EndLog());
  const launch = bench.launch();
  runner.start(launch);
  await bench.begun(launch);
  runner.close();
  bench.reboot(launch);
  const sights = await bench.open(new EndLog()).adopt([attemptOf(launch)]);
  expect([...sights]).toEqual([[launch.term, { kind: 'gone', cause: 'host-lost' }]]);
});

function far() {
  const bench = new MachineBench({ isFar: true, timing: QUICK });
  const ends = new EndLog();
  return { bench, ends, runner: bench.open(ends) };
}

function attemptOf(launch: Launch): Attempt {
  const { place, run, definition, term } = launch;
  return { place, run, task: definition.id, term, process: undefined, launch };
}

/** How often it was asked, since it does not decide any more, whether it does. */
function takenOver(): { decides: boolean; times: number; readonly mayAct: () => boolean } {
  const asked = {
    decides: true,
    times: 0,
    mayAct: (): boolean => {
      if (!asked.decides) asked.times += 1;
      return asked.decides;
    },
  };
  return asked;
}
