import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { EndLog } from '../../support/end-log.ts';
import { untilFile } from '../../support/until-file.ts';
import { shell } from '../runners/command-bench.ts';
import { MachineBench } from './machine-bench.ts';

test('a command that is asked to end is asked once', async () => {
  const { bench, runner, ends } = far();
  const launch = bench.launch(
    shell(
      `trap 'echo heard >>heard; n=0' TERM; ${BEGUN}; while [ \${n:=-1} -lt 20 ]; do sleep 0.02; [ $n -ge 0 ] && n=$((n + 1)); done; echo over >over; sleep 100`,
    ),
  );
  runner.start(launch);
  await bench.begun(launch);
  runner.signal(launch.term, 'terminate');
  // It has had time to hear many more.
  await untilFile(path.join(bench.root, 'over'), 'over');
  expect(bench.linesOf('heard')).toEqual(['heard']);
  runner.signal(launch.term, 'kill');
  await ends.of(launch.term);
});

test('what a command has printed before it is killed is kept', async () => {
  const { bench, runner, ends } = far();
  const launch = bench.launch(shell(PRINTER));
  runner.start(launch);
  await bench.begun(launch);
  writeFileSync(path.join(bench.root, 'go'), 'go\n');
  await untilFile(path.join(bench.root, 'printed'), 'printed');
  runner.signal(launch.term, 'kill');
  await ends.of(launch.term);
  runner.settled();
  expect(bench.outputOf(launch)).toBe(PRINTED);
});

test('what a command has printed before its machine was started anew is kept', async () => {
  const { bench, runner, ends } = far();
  const launch = bench.launch(shell(PRINTER));
  runner.start(launch);
  await bench.begun(launch);
  bench.cable.pull();
  writeFileSync(path.join(bench.root, 'go'), 'go\n');
  await untilFile(path.join(bench.root, 'printed'), 'printed');
  await bench.vanish(launch);
  bench.reboot(launch);
  bench.cable.plug();
  expect(await ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'host-lost' });
  runner.settled();
  expect(bench.outputOf(launch)).toBe(PRINTED);
});

test('where a crash has left nothing in the file of what has begun the command is lost, not waited for', async () => {
  const { bench, runner, ends } = far();
  const launch = bench.launch();
  runner.start(launch);
  await bench.begun(launch);
  await vi.waitFor(() => expect(ends.starts).toHaveLength(1));
  bench.cable.pull();
  await bench.vanish(launch);
  truncateSync(bench.fileOf(launch, 'begun'));
  bench.cable.plug();
  expect(await ends.of(launch.term)).toMatchObject({ kind: 'lost' });
});

test('an empty result, as a full disk leaves it, keeps no other command from its end', async () => {
  const { bench, runner, ends } = far();
  const [launch, other] = [bench.launch(), bench.launch(shell('true'))];
  runner.start(launch);
  await bench.begun(launch);
  await vi.waitFor(() => expect(ends.starts).toHaveLength(1));
  bench.cable.pull();
  writeFileSync(bench.fileOf(launch, 'result'), '');
  await bench.vanish(launch);
  bench.cable.plug();
  runner.start(other);
  expect(await ends.of(other.term)).toEqual({ kind: 'succeeded' });
  expect(await ends.of(launch.term)).toMatchObject({ kind: 'lost' });
});

test('a command does not run a second time where somebody has removed what the machine knew of it', async () => {
  const { bench, runner, ends } = far({ hasTmux: false });
  const launch = bench.launch(shell(`echo run >>runs; ${BEGUN}; sleep 100`));
  runner.start(launch);
  await bench.begun(launch);
  await vi.waitFor(() => expect(ends.starts).toHaveLength(1));
  bench.cable.pull();
  for (const name of ['order', 'begun', 'log']) rmSync(bench.fileOf(launch, name), { force: true });
  bench.cable.plug();
  expect(await ends.of(launch.term)).toMatchObject({ kind: 'lost' });
  expect(readFileSync(path.join(bench.root, 'runs'), 'utf8')).toBe('run\n');
  // And it is not left behind.
  expect(
    execFileSync('sh', [
      '-c',
      `grep -lF INTERLOCK_MARK=${bench.board}. /proc/[0-9]*/environ 2>/dev/null || :`,
    ]).toString(),
  ).toBe('');
  expect(existsSync(bench.root)).toBe(true);
});

test('a command that is asked to end while its files are sent is not waited for', async () => {
  const { bench, runner, ends } = far();
  const launch = bench.launch();
  const isSending = Promise.withResolvers<void>();
  bench.send = async (signal) => {
    isSending.resolve();
    await delay(60_000, undefined, { signal });
  };
  runner.start(launch);
  await isSending.promise;
  runner.signal(launch.term, 'terminate');
  expect(await ends.of(launch.term)).toMatchObject({ failure: { signal: 'SIGKILL' } });
});

const BEGUN = 'echo begun >begun-$INTERLOCK_TERM';
const PRINTER = `mkfifo go; ${BEGUN}; read x <go; seq 2000; echo printed >printed; sleep 100`;
const PRINTED = `${Array.from({ length: 2000 }, (_, at) => at + 1).join('\n')}\n`;
const TIMING = { retryMs: { first: 5, most: 20 }, beatMs: 1000, silenceMs: 5000, staleMs: 60_000 };

function far({ hasTmux = true } = {}) {
  const bench = new MachineBench({ isFar: true, hasTmux, timing: TIMING });
  const ends = new EndLog();
  return { bench, ends, runner: bench.open(ends) };
}
