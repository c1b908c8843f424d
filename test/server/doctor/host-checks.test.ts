import { describe, expect, test } from 'vitest';
import { type HostAnswers, type HostLook, judgeHost } from '../../../server/doctor/host-checks.ts';

const ANSWERS: HostAnswers = {
  user: 'kim',
  shell: '/bin/zsh',
  system: 'Linux x86_64',
  home: '/srv/kim',
  state: '/srv/kim/.local/state/interlock/machine',
  tmux: 'tmux 3.3a',
  git: 'git version 2.39.5',
  rsync: '',
  hasSetsid: true,
  cpus: 8,
  memoryBytes: 16 * 2 ** 30,
  load: 0.5,
  folder: '/srv/kim/code',
  freeBytes: 100 * 2 ** 30,
  aheadMs: 0,
};
const HOST: HostLook['host'] = {
  name: 'build-1',
  ssh: 'kim@build-1',
  folder: '~/code',
  sync: 'git',
  capabilities: [],
};
const LOOK: HostLook = {
  host: HOST,
  way: { kind: 'known', value: 'kim@10.0.0.1, port 22' },
  login: { kind: 'known', value: { tookMs: 80, noise: '' } },
  answers: ANSWERS,
};

function said(look: Partial<HostLook>): readonly string[] {
  return judgeHost({ ...LOOK, ...look }).map(
    ({ name, state, found, advice = '' }) => `${state} ${name}: ${found} ${advice}`,
  );
}

function of(answers: Partial<HostAnswers>, host: Partial<HostLook['host']> = {}): string {
  const look = { ...LOOK, host: { ...HOST, ...host }, answers: { ...ANSWERS, ...answers } };
  const odd = judgeHost(look).filter(({ state }) => state !== 'fine');
  return odd.map(({ name, state, found }) => `${state} ${name}: ${found}`).join('\n');
}

test('a host where all is well has nothing to be done about', () => {
  expect(said({})).toMatchInlineSnapshot(`
    [
      "fine ssh: kim@10.0.0.1, port 22 ",
      "fine host key: known ",
      "fine login: kim, /bin/zsh, Linux x86_64, after 80 ms ",
      "fine noise: nothing is printed at login ",
      "fine home: /srv/kim/.local/state/interlock/machine ",
      "fine tmux: tmux 3.3a ",
      "fine git: git version 2.39.5 ",
      "fine rsync: none, and none is needed ",
      "fine folder: /srv/kim/code ",
      "fine machine: 8 processors, 16.0 GiB of memory ",
      "fine load: 0.5 on 8 processors ",
      "fine clock: agrees with this machine ",
      "fine disk: 100.0 GiB are free ",
    ]
  `);
});

describe('a host that cannot be used says what to do', () => {
  test('where ssh does not know it', () => {
    const { login: _, answers: __, ...look } = LOOK;
    const failed = { ...look, way: { kind: 'failed', message: 'No such host.' } } as const;
    expect(judgeHost(failed)).toMatchInlineSnapshot(`
      [
        {
          "advice": "Make "ssh kim@build-1" work in a terminal.",
          "found": "No such host.",
          "name": "ssh",
          "state": "wrong",
        },
      ]
    `);
  });

  for (const [name, isKeyOffered, check, advice] of [
    ['where its key is not known', true, 'host key', /^Compare .* "interlock hosts trust build-1"/],
    ['where its key has changed', false, 'host key', /^Ask whoever runs the host why/],
    ['where nobody is let in', undefined, 'login', /^Make "ssh kim@build-1" work/],
  ] as const)
    test(name, () => {
      const { answers: _, ...look } = LOOK;
      const offered = isKeyOffered === undefined ? {} : { isKeyOffered };
      const login = { kind: 'failed', message: 'It is refused.', ...offered } as const;
      expect(judgeHost({ ...look, login }).slice(1)).toEqual([
        {
          name: check,
          state: 'wrong',
          found: 'It is refused.',
          advice: expect.stringMatching(advice),
        },
      ]);
    });

  test('in the words of whoever was refused, if they know', () => {
    const { answers: _, ...look } = LOOK;
    const message =
      'build-1 does not answer (10.0.0.1 port 22): no route. Look at the cable. Then wait.';
    const login = { kind: 'failed', message } as const;
    expect(judgeHost({ ...look, login }).at(-1)).toEqual({
      name: 'login',
      state: 'wrong',
      found: 'build-1 does not answer (10.0.0.1 port 22): no route.',
      advice: 'Look at the cable. Then wait.',
    });
  });

  test('where it is something else than a shell', () => {
    const { answers: _, ...look } = LOOK;
    expect(judgeHost(look).at(2)).toMatchObject({ name: 'login', state: 'wrong' });
  });
});

test('what could be better is a note, and what tasks need is wrong', () => {
  expect(of({ tmux: '' })).toBe('note tmux: there is none: tasks run without sessions');
  expect(of({ git: '' })).toBe('wrong git: there is none, and files get there by git');
  expect(of({ git: '' }, { sync: 'none' })).toBe('');
  expect(of({}, { sync: 'rsync' })).toBe(
    'wrong rsync: there is none, and files get there by rsync',
  );
  expect(of({ folder: '' })).toBe('');
  expect(of({ folder: '' }, { sync: 'none' })).toBe('wrong folder: there is no ~/code');
  expect(of({ state: '' })).toBe('wrong home: nothing can be kept below /srv/kim');
  expect(of({ load: 17 })).toBe('note load: 17 on 8 processors');
  expect(of({ aheadMs: -61_000 })).toBe('note clock: 1 min 1 s behind');
  expect(of({ aheadMs: NaN })).toBe('note clock: it does not tell the time');
  expect(of({ freeBytes: 2 ** 30 })).toBe('note disk: 1.0 GiB are free');
  expect(of({ freeBytes: 2 ** 20 })).toBe('wrong disk: 0.0 GiB are free');
  expect(of({ cpus: 0, memoryBytes: 0, load: 0 })).toBe(
    'note machine: it does not say what it has',
  );
});

test('what its files print is shown, and what takes long is noted', () => {
  const login = { kind: 'known', value: { tookMs: 6000, noise: 'Welcome to build-1!' } } as const;
  expect(said({ login }).slice(2, 4)).toMatchInlineSnapshot(`
    [
      "note login: kim, /bin/zsh, Linux x86_64, only after 6.0 s Often it looks up the name of this machine: "UseDNS no" in its sshd_config.",
      "note noise: its files print at login: Welcome to build-1! Interlock reads over it; rsync and scp do not. Let those files print only where "[ -t 1 ]".",
    ]
  `);
});
