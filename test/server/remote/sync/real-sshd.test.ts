import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ShellLost } from '../../../../server/remote/host-shell.ts';
import { sshLink } from '../../../../server/remote/ssh/ssh-link.ts';
import { Sshd } from '../../../support/sshd.ts';
import { filesIn, SyncBench } from './sync-bench.ts';
import { heardLink, withHome } from './link-wrappers.ts';

test('files get to a machine over ssh and back, though its connections are cut', async () => {
  const bench = new SyncBench();
  const sshd = await Sshd.start({ settings: ['MaxSessions 1'] });
  onTestFinished(async () => await sshd.stop());
  const link = sshLink('box', { env: process.env, configFile: sshd.configFile });
  onTestFinished(() => link.close());
  bench.link = withHome(link, bench.homeThere);
  bench.commit({ 'a.txt': 'a', '.gitignore': 'out\n' });
  expect(filesIn(await bench.prepare(1))).toEqual(filesIn(bench.tree));

  await writeFile(path.join(bench.tree, 'b.bin'), randomBytes(10_000_000));
  const whole = bench.link;
  bench.link = heardLink(whole, (bytes) => bytes > 1_000_000 && sshd.cut());
  await expect(bench.prepare(2)).rejects.toThrow(ShellLost);
  bench.link = whole;
  const folder = await bench.prepare(2);
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));

  bench.write({ out: 'made', 'a.txt': 'changed' }, folder);
  const back = await bench.collect({ term: 2, outputs: ['out'] });
  expect(back).toEqual(['What else api changed on build-1 is on the branch interlock/api/2.']);
  expect(filesIn(bench.tree)['out']).toBe('made');
  await bench.sync.discard(bench.place, [1, 2]);
  expect(filesIn(path.join(bench.trees, 't'))).toEqual({});
});
