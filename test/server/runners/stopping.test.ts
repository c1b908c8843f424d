import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Launch, Runner } from '../../../server/engine/ports.ts';
import { untilFile } from '../../support/until-file.ts';
import { CommandBench, isGone, isLinux, shell } from './command-bench.ts';

const SIGTERM = { kind: 'failed', failure: { kind: 'signal', signal: 'SIGTERM' } };
const SIGKILL = { kind: 'failed', failure: { kind: 'signal', signal: 'SIGKILL' } };

interface Begun {
  readonly bench: CommandBench;
  readonly runner: Runner;
  readonly launch: Launch;
  readonly slot: number;
  readonly pidIn: (file: string) => number;
}

/** Resolves when the script has said that it is ready. */
async function begun(script: string): Promise<Begun> {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(shell(script));
  const started = runner.start(launch);
  await untilFile(bench.logOf(launch), 'ready');
  const slot = started.kind === 'started' ? started.process.pid : 0;
  const pidIn = (file: string): number =>
    Number(readFileSync(path.join(bench.root, file), 'utf8').trim());
  return { bench, runner, launch, slot, pidIn };
}

test('stopping ends the whole group, and a command may end in its own way', async () => {
  const { bench, runner, launch } = await begun(
    "trap 'echo bye; exit 7' TERM; (echo ready; exec sleep 300) & wait",
  );
  runner.signal(launch.term, 'terminate');
  expect(await bench.ends.of(launch.term)).toEqual({
    kind: 'failed',
    failure: { kind: 'exit', code: 7 },
  });
  expect(bench.outputOf(launch)).toBe('ready\nbye\n');
});

test('a command that ends well when it is asked to end has succeeded', async () => {
  const { bench, runner, launch } = await begun(
    "trap 'exit 0' TERM; sh -c 'echo ready; exec sleep 300' & wait",
  );
  runner.signal(launch.term, 'terminate');
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'succeeded' });
});

test('what a stopped command leaves behind has time to end before its task has ended', async () => {
  const { bench, runner, launch } = await begun(
    `(trap 'sleep 0.3; echo tidied; exit' TERM; sh -c 'echo ready; exec sleep 300' & wait) & wait`,
  );
  runner.signal(launch.term, 'terminate');
  expect(await bench.ends.of(launch.term)).toEqual(SIGTERM);
  expect(bench.outputOf(launch)).toContain('tidied\n');
});

test('a command that ignores the request goes on until it is killed', async () => {
  const { bench, runner, launch } = await begun(
    `trap '' TERM; echo ready; i=0; while :; do i=$((i+1)); test $i = 100000 && echo still; done`,
  );
  runner.signal(launch.term, 'terminate');
  await untilFile(bench.logOf(launch), 'still');
  expect(bench.ends.all).toEqual([]);
  runner.signal(launch.term, 'kill');
  expect(await bench.ends.of(launch.term)).toEqual(SIGKILL);
});

test('being killed ends what has been left behind and would not end', async () => {
  const { bench, runner, launch, pidIn } = await begun(
    `(trap '' TERM; sh -c 'echo $$ > pid'; echo ready; sleep 300; sleep 300) & wait`,
  );
  runner.signal(launch.term, 'terminate');
  await bench.ended(launch);
  expect(bench.ends.all).toEqual([]);
  runner.signal(launch.term, 'kill');
  expect(await bench.ends.of(launch.term)).toEqual(SIGTERM);
  expect(isGone(pidIn('pid'))).toBe(true);
});

test('a signal that comes as soon as a command was ordered reaches it', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launches = Array.from({ length: 20 }, () => bench.launch(shell('sleep 300')));
  for (const { term } of launches.map((launch) => (runner.start(launch), launch)))
    runner.signal(term, 'terminate');
  for (const { term } of launches) expect(await bench.ends.of(term)).toEqual(SIGTERM);
});

test('a command that is killed as soon as it was ordered has been killed', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(shell('sleep 300'));
  runner.start(launch);
  runner.signal(launch.term, 'kill');
  expect(await bench.ends.of(launch.term)).toEqual(SIGKILL);
});

test.runIf(isLinux)('a child that left the process group does not survive its stop', async () => {
  const { bench, runner, launch, pidIn } = await begun(
    `setsid sh -c 'echo $$ > pid; echo ready; trap "" TERM; sleep 300; sleep 300' & wait`,
  );
  runner.signal(launch.term, 'terminate');
  await bench.ends.of(launch.term);
  expect(isGone(pidIn('pid'))).toBe(true);
});

test.runIf(isLinux)('a daemon of a daemon does not survive a kill', async () => {
  const { bench, runner, launch, pidIn } = await begun(
    `setsid sh -c 'setsid sh -c "echo \\$\\$ > pid; echo ready; exec sleep 300" & exit' & wait; sleep 300`,
  );
  runner.signal(launch.term, 'kill');
  await bench.ends.of(launch.term);
  expect(isGone(pidIn('pid'))).toBe(true);
});

test('what a killed command leaves behind is stopped before its task has failed', async () => {
  const { bench, launch, pidIn } = await begun(
    "(sh -c 'echo $$ > pid; trap \"\" HUP; echo ready; exec sleep 300') & sh -c 'echo $PPID > main'; wait",
  );
  await untilFile(path.join(bench.root, 'main'), '\n');
  process.kill(pidIn('main'), 'SIGKILL');
  expect(await bench.ends.of(launch.term)).toEqual(SIGKILL);
  expect(isGone(pidIn('pid'))).toBe(true);
});

test('a slot that is killed loses its command, and nothing of the command goes on', async () => {
  const { bench, launch, slot, pidIn } = await begun(
    "sh -c 'echo $$ > pid; echo ready; exec sleep 300'",
  );
  process.kill(slot, 'SIGKILL');
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'killed' });
  expect(isGone(pidIn('pid'))).toBe(true);
});

test('a slot that is killed while it waits is missed by nobody', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const { launch } = await bench.run(runner, shell('true'));
  process.kill(bench.slotOf(launch), 'SIGKILL');
  // Whether the next command is given to it before anybody has noticed is up to chance.
  const next = await bench.run(runner, shell('true'));
  expect([{ kind: 'succeeded' }, { kind: 'lost', cause: 'not-started' }]).toContainEqual(next.end);
  expect((await bench.run(runner, shell('true'))).end).toEqual({ kind: 'succeeded' });
});

test('a command that signals all of its group ends itself and not its slot', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const { end } = await bench.run(runner, shell('kill -TERM 0; sleep 300'));
  expect(end).toEqual(SIGTERM);
  expect((await bench.run(runner, shell('true'))).end).toEqual({ kind: 'succeeded' });
});

test('a child that stays behind with the output open does not keep the task from ending', async () => {
  const { bench, launch, pidIn } = await begun(
    "sh -c 'echo $$ > pid; exec sleep 300' & while ! test -s pid; do :; done; echo ready; exit 0",
  );
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'succeeded' });
  // It was asked to end with the command.
  while (!isGone(pidIn('pid'))) await new Promise(setImmediate);
});

test.runIf(isLinux)(
  'a daemon that left its group on purpose stays when its command ends by itself',
  async () => {
    const { bench, launch, pidIn } = await begun(
      "setsid sh -c 'echo $$ > pid; echo ready; exec sleep 300' & while ! test -s pid; do :; done",
    );
    expect(await bench.ends.of(launch.term)).toEqual({ kind: 'succeeded' });
    expect(isGone(pidIn('pid'))).toBe(false);
    process.kill(pidIn('pid'), 'SIGKILL');
  },
);

test('a pid that a script writes down is that of what it becomes', async () => {
  const { bench, launch, pidIn } = await begun('echo $$ > pid; echo ready; exec sleep 300');
  process.kill(pidIn('pid'), 'SIGTERM');
  expect(await bench.ends.of(launch.term)).toEqual(SIGTERM);
});

test.runIf(isLinux)(
  'sweeping a command that runs kills all of it, and its end is told',
  async () => {
    const { bench, runner, launch, pidIn } = await begun(
      `setsid sh -c 'echo $$ > pid; echo ready; sleep 300' & wait`,
    );
    const { place, run, term, definition } = launch;
    const attempt = { place, run, task: definition.id, term, process: undefined };
    expect(await runner.sweep(attempt)).toBe(true);
    expect(bench.ends.all).toEqual([[term, SIGKILL]]);
    expect(isGone(pidIn('pid'))).toBe(true);
  },
);
