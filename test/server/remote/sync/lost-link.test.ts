import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ShellLost } from '../../../../server/remote/host-shell.ts';
import { localLink } from '../../../../server/remote/local-link.ts';
import { cutLink } from './cut-link.ts';
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
    places: 12,
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
    places: 12,
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
        `What ${task} changed on build-1 is on the branch interlock/${task}/${term}.`,
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
