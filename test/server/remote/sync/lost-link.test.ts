import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ShellLost } from '../../../../server/remote/host-shell.ts';
import { localLink } from '../../../../server/remote/local-link.ts';
import { untilFile } from '../../../support/until-file.ts';
import { untilGone } from '../../runners/command-bench.ts';
import { cutLink } from './link-wrappers.ts';
import { filesIn, SyncBench } from './sync-bench.ts';

const MANY = 1e12;

/** Cuts the link everywhere between its first byte and its last, in so many places. */
async function cutEverywhere(
  bench: SyncBench,
  { places, act }: { places: number; act: (round: number) => Promise<unknown> },
): Promise<void> {
  const whole = localLink({ ...process.env, HOME: bench.homeThere });
  const counting = cutLink(whole, MANY);
  bench.link = counting;
  await act(0);
  const bytes = counting.bytes();
  for (let round = 1; round <= places; round += 1) {
    bench.reopen();
    bench.link = cutLink(whole, Math.floor((bytes * round) / (places + 1)));
    await expect(act(round)).rejects.toThrow(ShellLost);
    bench.link = whole;
    await act(round);
  }
}

test('what is sent is complete wherever the link was lost on the way', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  await bench.prepare(99);
  await cutEverywhere(bench, {
    places: 8,
    act: async (round) => {
      bench.write({ 'a.txt': `${round}`, 'new.bin': noise(400_000, round) });
      const folder = await bench.prepare(round + 1);
      expect(filesIn(folder)).toEqual(filesIn(bench.tree));
    },
  });
  bench.gitIn(path.join(bench.trees, 'mirror.git'), 'fsck', '--full', '--strict');
  expect(filesIn(path.join(bench.trees, 'in'))).toEqual({});
});

test('what comes back is complete wherever the link was lost on the way', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out.bin' });
  await cutEverywhere(bench, {
    places: 8,
    act: async (round) => {
      const [term, task] = [round + 1, `task-${round}`];
      if (!existsSync(path.join(bench.trees, 't', `${term}.ready`))) {
        const before = bench.link;
        bench.link = localLink({ ...process.env, HOME: bench.homeThere });
        const folder = await bench.prepare(term);
        bench.write({ 'out.bin': noise(300_000, round), 'a.txt': noise(300_000, round) }, folder);
        bench.reopen();
        bench.link = before;
      }
      const there = filesIn(path.join(bench.trees, 't', `${term}`));
      expect(await bench.collect({ term, task, outputs: ['*.bin'] })).toEqual([
        `What else ${task} changed on build-1 is on the branch interlock/${task}/${term}.`,
      ]);
      expect(filesIn(bench.tree)['out.bin']).toBe(there['out.bin']);
      expect(bench.git('show', `interlock/${task}/${term}:a.txt`)).toBe(there['a.txt']);
    },
  });
});

test('what has arrived is not sent again', async () => {
  const bench = new SyncBench();
  bench.commit({ 'large.bin': noise(12_000_000, 1) });
  const whole = localLink({ ...process.env, HOME: bench.homeThere });
  bench.link = cutLink(whole, 5_000_000);
  await expect(bench.prepare()).rejects.toThrow(ShellLost);
  const rest = cutLink(whole, MANY);
  [bench.link, bench.sync] = [rest, bench.open()];
  expect(filesIn(await bench.prepare())).toEqual(filesIn(bench.tree));
  expect(rest.bytes()).toBeLessThan(5_000_000);
});

test('what still works there for a lost connection is ended before anything else is done', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const programs = path.join(bench.root, 'programs');
  bench.write({ git: SLOW_GIT }, programs);
  chmodSync(path.join(programs, 'git'), 0o755);
  bench.link = localLink({
    ...process.env,
    HOME: bench.homeThere,
    PATH: `${programs}:${process.env.PATH}`,
    REAL_GIT: execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(),
    SLOW: path.join(bench.root, 'slow'),
  });
  const never = bench.prepare();
  never.catch(() => {});
  await untilFile(path.join(bench.root, 'slow'), '\n');
  const slow = Number(readFileSync(path.join(bench.root, 'slow'), 'utf8'));
  bench.write({ 'mirror.git/refs/interlock/1/sent.lock': '' }, bench.trees);

  const before = bench.sync;
  onTestFinished(() => before.close());
  bench.sync = bench.open();
  expect(filesIn(await bench.prepare())).toEqual({ 'a.txt': 'a' });

  await expect(never).rejects.toThrow(ShellLost);
  await untilGone(slow);
  expect(filesIn(await bench.prepare(2))).toEqual({ 'a.txt': 'a' });
});

/** Waits for ever where it is to check files out for the first time. */
const SLOW_GIT = `#!/bin/sh
case "$*" in
  *read-tree*) [ -e "$SLOW" ] || { echo $$ >"$SLOW"; exec sleep 1000; } ;;
esac
exec "$REAL_GIT" "$@"
`;

/** Text that does not get much smaller when it is packed. */
function noise(bytes: number, round: number): string {
  let seed = round + 1;
  let text = '';
  while (text.length < bytes) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += seed.toString(36);
  }
  return text;
}
