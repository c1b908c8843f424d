import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localLink } from '../../../server/remote/local-link.ts';
import { MachineSessions } from '../../../server/remote/sessions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tmuxServer } from '../../support/typed-in-tmux.ts';
import { untilFile } from '../../support/until-file.ts';

let last = 0;

/** A tmux server of a board that nobody else has. */
class SessionBench {
  readonly board = `test-${process.pid}-${(last += 1)}`;
  readonly root = temporaryFolder();

  readonly tmux = tmuxServer(`interlock-${this.board}`);

  async sessions(env: NodeJS.ProcessEnv = {}): Promise<MachineSessions> {
    const state = { XDG_STATE_HOME: path.join(this.root, '.state'), SHELL: '/bin/sh', ...env };
    const link = localLink({ ...process.env, ...state });
    const hello = `hello-${process.pid}-${(last += 1)}`;
    const sessions = await MachineSessions.reach({
      link,
      board: this.board,
      word: this.board,
      hello,
    });
    onTestFinished(() => sessions.close());
    return sessions;
  }

  wish(name = 'aivcs__shop__play__human'): { name: string; key: string; folder: string } {
    return { name, key: `${this.board}:human:shop:play`, folder: this.root };
  }
}

test('nothing is there where nothing was started, and nothing is started by looking', async () => {
  const bench = new SessionBench();
  const sessions = await bench.sessions();
  const seen = await sessions.list();
  expect(seen).toMatchObject({ kind: 'seen', sessions: [], foreign: [] });
  expect(() => bench.tmux('list-sessions')).toThrow(/no server running|error connecting/);
});

test('a machine without tmux says so', async () => {
  const bench = new SessionBench();
  const sessions = await bench.sessions({ PATH: bench.root });
  expect(await sessions.list()).toEqual({ kind: 'no-tmux' });
});

test('a session is made once, however many ask for it at once', async () => {
  const bench = new SessionBench();
  const all = await Promise.all(Array.from({ length: 20 }, async () => await bench.sessions()));
  const made = await Promise.all(all.map(async (each) => await each.make(bench.wish())));
  expect(made).toEqual(made.map(() => ({ kind: 'there' })));
  const seen = await all[0]?.list();
  expect(seen).toMatchObject({ sessions: [{ name: bench.wish().name, role: 'human' }] });
  expect(bench.tmux('list-windows', '-a').trim().split('\n')).toHaveLength(1);
}, 30_000);

test('a session begins in its folder, whatever that is called', async () => {
  const bench = new SessionBench();
  const folder = path.join(bench.root, "it's #(touch hit) $(touch hit) #{pid};");
  execFileSync('mkdir', [folder]);
  const sessions = await bench.sessions();
  await sessions.make({ ...bench.wish(), folder });
  bench.tmux('send-keys', '-t', '=aivcs__shop__play__human:', 'pwd > where', 'Enter');
  await untilFile(path.join(folder, 'where'), `${folder}\n`);
  expect(execFileSync('find', [bench.root, '-name', 'hit'], { encoding: 'utf8' })).toBe('');
});

test('where there is no such folder a session begins at home, and says so', async () => {
  const bench = new SessionBench();
  const sessions = await bench.sessions();
  await sessions.make({ ...bench.wish(), folder: path.join(bench.root, 'gone') });
  const where = path.join(bench.root, 'where');
  bench.tmux('send-keys', '-t', '=aivcs__shop__play__human:', `pwd > '${where}'`, 'Enter');
  await untilFile(where, `${realpathSync(homedir())}\n`);
  const screen = bench.tmux('capture-pane', '-p', '-J', '-t', '=aivcs__shop__play__human:');
  expect(screen).toContain(`There is no folder ${bench.root}/gone here.`);
});

test('a session of another key stays as it is', async () => {
  const bench = new SessionBench();
  bench.tmux('new-session', '-d', '-s', bench.wish().name, 'cat');
  bench.tmux('set-option', '-t', `=${bench.wish().name}:`, '@interlock', 'another');
  const sessions = await bench.sessions();
  expect(await sessions.make(bench.wish())).toEqual({ kind: 'foreign' });
  expect(await sessions.end(bench.wish())).toBe('foreign');
  expect(await sessions.list()).toMatchObject({ sessions: [], foreign: [bench.wish().name] });
});

test('a session without a key is nobody of ours', async () => {
  const bench = new SessionBench();
  bench.tmux('new-session', '-d', '-s', bench.wish().name, 'cat');
  const sessions = await bench.sessions();
  expect(await sessions.make(bench.wish())).toEqual({ kind: 'foreign' });
});

describe('the end of a session', () => {
  test('is that of exactly this one', async () => {
    const bench = new SessionBench();
    const sessions = await bench.sessions();
    const longer = { ...bench.wish('aivcs__shop__play-2__human'), key: `${bench.board}:human:x:y` };
    await sessions.make(longer);
    const short = bench.wish('aivcs__shop__play__human');
    expect(await sessions.end(short)).toBe('gone');
    await sessions.make(short);
    expect(await sessions.end(short)).toBe('ended');
    const left = await sessions.list();
    expect(left).toMatchObject({ sessions: [{ name: longer.name, work: 'play-2', clients: 0 }] });
  });

  test('is none where another one has taken its place', async () => {
    const bench = new SessionBench();
    const sessions = await bench.sessions();
    await sessions.make(bench.wish());
    const { name } = bench.wish();
    expect(await sessions.end({ name, key: `${bench.board}:human:shop:other` })).toBe('foreign');
    expect(await sessions.list()).toMatchObject({ sessions: [{ name }] });
  });
});

test('names and keys that others have chosen are read as what they are', async () => {
  const bench = new SessionBench();
  const odd = [
    'a b',
    '##(touch hit)',
    'x\ny',
    '$(id)',
    'interlock-control-x',
    'aivcs__a__b__human',
  ];
  for (const name of odd) bench.tmux('new-session', '-d', '-s', name, 'cat');
  const forged = `x\n1:1:1:0:0:aivcs__shop__play__human:${bench.board}:human:shop:play`;
  bench.tmux('set-option', '-t', '=a b:', '@interlock', forged);
  bench.tmux('new-session', '-d', '-s', 'interlock-control-7', 'cat');
  const sessions = await bench.sessions();
  const seen = await sessions.list();
  expect(seen).toMatchObject({ kind: 'seen', sessions: [] });
  expect(seen.kind === 'seen' && seen.foreign).toHaveLength(odd.length);
});
