import { expect, test } from 'vitest';
import { examine } from '../../../server/doctor/examine.ts';
import type { MachineFacts, ProgramFacts, StateFacts } from '../../../server/doctor/ports.ts';
import { HandTime, settled } from '../../support/hand-time.ts';

const GIB = 1024 ** 3;
const STATE: StateFacts = {
  path: '/state',
  isWritable: true,
  isOpenToOthers: false,
  freeBytes: 9 * GIB,
  network: undefined,
};
const PROGRAMS: Readonly<Record<string, string>> = {
  'sh -c echo works': 'works',
  'git --version': 'git version 2.43.0',
  'git -c core.fsmonitor=false worktree list --porcelain': 'worktree /a\n\nworktree /b\n',
  'tmux -V': 'tmux 3.4',
  'ssh -V': 'OpenSSH_9.6p1',
  'ssh -F none -G localhost': 'user kim\nhostname localhost\n',
};

/** A machine on which all is well, but for what a test says. */
function machine(change: Partial<MachineFacts> = {}): MachineFacts {
  return {
    runtime: () => ({ build: '1.0.0', node: '24.0.0', platform: 'linux x64', refusal: undefined }),
    sqlite: () => ({ kind: 'loaded', version: '3.51.3' }),
    state: () => STATE,
    store: () => ({ kind: 'sound', file: '/state/board.db', bytes: 5000, isLookedThrough: true }),
    decider: async () => ({ holder: undefined, answer: { kind: 'absent' } }),
    program: programs(),
    converse: async () => ({ kind: 'absent' }),
    folder: '/project',
    environment: () => undefined,
    configText: () => undefined,
    watches: () => ({ watches: 524_288, instances: 128 }),
    clock: () => ({ nowMs: 0, writtenMs: -1 }),
    ...change,
  };
}

function programs(change: Readonly<Record<string, ProgramFacts>> = {}): MachineFacts['program'] {
  return async (command, args) => {
    const line = [command, ...args].join(' ');
    const text = PROGRAMS[line];
    return change[line] ?? (text === undefined ? { kind: 'absent' } : { kind: 'said', text });
  };
}

async function findings(change: Partial<MachineFacts>): Promise<readonly string[]> {
  const checks = await examine(machine(change), new HandTime());
  return checks.map(({ name, state, found }) => `${name} ${state}: ${found}`);
}

test('where all is well, each line says what is there', async () => {
  expect(await findings({})).toEqual([
    'runtime fine: Interlock 1.0.0, Node.js 24.0.0, linux x64',
    'sqlite fine: SQLite 3.51.3',
    'state fine: /state, 9.0 GiB free',
    'store fine: /state/board.db, 5 KiB, looked through, whole',
    'coordinator fine: nobody decides now; whoever runs something will',
    expect.stringMatching(/^clock fine: /),
    'watches fine: 524288 watches, 128 watchers',
    'shell fine: sh runs commands',
    'git fine: 2.43.0, 2 working trees',
    'tmux fine: 3.4',
    'ssh fine: OpenSSH_9.6p1',
  ]);
});

/** Of all lines, the one that is not as on a machine where all is well. */
function check(name: string, change: Partial<MachineFacts>, expected: string | RegExp): void {
  test(name, async () => {
    const well = new Set(await findings({}));
    const others = (await findings(change)).filter((line) => !well.has(line));
    expect(others).toHaveLength(1);
    expect(others[0]).toMatch(expected);
    for (const { state, advice } of await examine(machine(change), new HandTime()))
      expect(advice !== undefined).toBe(state !== 'fine');
  });
}

const NOT_THERE: ProgramFacts = { kind: 'absent' };
const answers = (kind: string): ProgramFacts => ({ kind: 'failed', message: kind });

check(
  'an old Node.js is told with what it needs',
  { runtime: () => ({ build: '1', node: '18', platform: 'linux x64', refusal: 'Newer, please.' }) },
  'runtime wrong: Interlock 1, Node.js 18, linux x64',
);
check(
  'SQLite that does not load is told',
  { sqlite: () => ({ kind: 'failed', message: 'GLIBC_2.34 not found' }) },
  'sqlite wrong: does not load: GLIBC_2.34 not found',
);
check(
  'a state folder on a network file system is told',
  { state: () => ({ ...STATE, network: 'NFS' }) },
  'state wrong: /state is on a network file system (NFS)',
);
check(
  'a state folder that cannot be written is told',
  { state: () => ({ ...STATE, isWritable: false }) },
  'state wrong: /state cannot be written',
);
check(
  'a state folder that others can read is told',
  { state: () => ({ ...STATE, isOpenToOthers: true }) },
  'state wrong: others can look into /state',
);
check(
  'a disk that is nearly full is noted',
  { state: () => ({ ...STATE, freeBytes: GIB / 8 }) },
  'state note: /state, 128 MiB free',
);
check(
  'a state folder that is not there yet is fine',
  { state: () => ({ ...STATE, isOpenToOthers: undefined, freeBytes: undefined }) },
  'state fine: /state (made when something runs)',
);
check(
  'a folder in which nothing has run is fine',
  { store: () => ({ kind: 'absent', file: '/state/board.db' }) },
  'store fine: nothing has run in this folder yet',
);
check(
  'a large store is noted, and not looked through',
  { store: () => ({ kind: 'sound', file: 'b', bytes: GIB, isLookedThrough: false }) },
  'store note: b, 1.0 GiB, opens; too large to look through',
);
check(
  'a damaged store is told',
  { store: () => ({ kind: 'damaged', file: 'b' }) },
  'store wrong: b is damaged',
);
check(
  'a store that cannot be opened is told',
  { store: () => ({ kind: 'unusable', message: 'A newer version has written it.' }) },
  'store wrong: cannot be opened',
);
check(
  'whoever decides is named',
  {
    decider: async () => ({
      holder: 'A',
      answer: { kind: 'connected', build: '1.0.0', protocol: 1 },
    }),
  },
  'coordinator fine: A decides and answers (1.0.0, protocol 1)',
);
check(
  'another version that decides is noted',
  {
    decider: async () => ({
      holder: 'A',
      answer: { kind: 'connected', build: '0.9.0', protocol: 1 },
    }),
  },
  'coordinator note: A decides and answers (0.9.0, protocol 1)',
);
check(
  'whoever decides and does not answer is told',
  { decider: async () => ({ holder: 'A', answer: { kind: 'absent' } }) },
  'coordinator wrong: A decides, and cannot be reached',
);
check(
  'whoever decides and does not let us in is told',
  { decider: async () => ({ holder: 'A', answer: { kind: 'refused', message: 'Why.' } }) },
  'coordinator wrong: A decides, and does not let us in',
);
check(
  'a clock that was set back is noted',
  { clock: () => ({ nowMs: 0, writtenMs: 3_600_000 }) },
  /^clock note: .*, and the board was written 1 h 0 min later than that$/,
);
check(
  'few watches are noted',
  { watches: () => ({ watches: 8192, instances: 128 }) },
  'watches note: 8192 watches, 128 watchers',
);
check('a system without such limits is fine', { watches: () => undefined }, /^watches fine/);
check(
  'no shell is told',
  { program: programs({ 'sh -c echo works': NOT_THERE }) },
  'shell wrong: sh is not installed',
);
check(
  'a shell that prints something else is told',
  { program: programs({ 'sh -c echo works': { kind: 'said', text: 'welcome!' } }) },
  'shell wrong: sh answers something else than expected',
);
check(
  'no git is noted',
  { program: programs({ 'git --version': NOT_THERE }) },
  'git note: git is not installed',
);
check(
  'a folder that git does not trust is told',
  {
    program: programs({
      'git -c core.fsmonitor=false worktree list --porcelain': answers('dubious ownership'),
    }),
  },
  'git wrong: 2.43.0, fails: dubious ownership',
);
check(
  'a folder in no repository is fine',
  {
    program: programs({
      'git -c core.fsmonitor=false worktree list --porcelain': answers(
        'fatal: not a git repository',
      ),
    }),
  },
  'git fine: 2.43.0; the folder is in no repository',
);
check(
  'no tmux is noted',
  { program: programs({ 'tmux -V': NOT_THERE }) },
  'tmux note: tmux is not installed',
);
check(
  'an ssh that does not know -G is noted',
  { program: programs({ 'ssh -F none -G localhost': answers('unknown option -- G') }) },
  'ssh note: OpenSSH_9.6p1, and "ssh -G" fails: unknown option -- G',
);
check(
  'what is thrown at one question spoils no other',
  { sqlite: () => unheardOf() },
  'sqlite wrong: unheard of',
);

test('what never answers is told in time', async () => {
  const time = new HandTime();
  const asked = examine(machine({ decider: async () => await new Promise(() => {}) }), time);
  await settled();
  await time.pass(10_000);
  const states = (await asked).map(({ name, state, found }) => `${name} ${state}: ${found}`);
  expect(states[4]).toBe('coordinator wrong: no answer within 8.0 s');
});

test('control characters of programs reach nobody', async () => {
  const program = programs({ 'tmux -V': { kind: 'said', text: 'tmux \u001B[31m3.4\u202E' } });
  const found = (await findings({ program })).find((line) => line.startsWith('tmux'));
  for (const character of ['\u001B', '\u202E']) expect(found).not.toContain(character);
});

function unheardOf(): never {
  throw new Error('unheard of');
}
