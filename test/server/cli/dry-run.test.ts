import { nothingTyped } from '../../support/no-input.ts';
import { expect, test } from 'vitest';
import type { BoardWorld } from '../../../server/board/ports.ts';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import type { Terminal } from '../../../server/cli/terminal.ts';
import { readHosts } from '../../../server/domain/host.ts';
import { NO_FILES, NO_HOSTS, plansInMemory } from '../../support/plans-in-memory.ts';
import { HandTime } from '../../support/hand-time.ts';

type Plans = Readonly<Record<string, string>>;

/** A machine with some plans and nothing else; whoever opens its store fails. */
function terminalWith(
  plans: Plans,
  hosts: object = {},
): { readonly terminal: Terminal; readonly said: string[] } {
  const said: string[] = [];
  const world: BoardWorld = {
    files: plansInMemory(plans),
    shared: NO_FILES,
    hosts: { ...NO_HOSTS, hosts: readHosts(hosts).hosts },
    rulesOf: () => ({ foldCase: false }),
    ids: { runId: () => unused(), operation: () => unused() },
    alarm: new HandTime(),
    defaultParallel: 4,
    hash: () => 'hash',
    isIgnored: async () => false,
    userName: 'kim',
    stateFolder: (root) => ({ path: root, isThere: true }),
    realFolder: (folder) => folder,
    folderInTree: () => '',
    foldersUpFrom: (folder) => [folder],
    realInTree: (_root, path) => ({ kind: 'inside', path }),
    facts: () => unused(),
    machines: () => unused(),
    open: () => unused(),
  };
  const terminal: Terminal = {
    world: () => world,
    env: {},
    cwd: '/project',
    screen: undefined,
    isAttended: false,
    out: (text) => void said.push(String(text)),
    err: (text) => void said.push(text),
    onInterrupt: () => {},
    input: nothingTyped(),
    callers: () => [],
    starterHasEnded: () => false,
    onUnread: () => {},
    attach: unused,
    handOver: unused,
    keyPressed: async () => {},
    abort: () => {},
  };
  return { terminal, said };
}

function unused(): never {
  throw new Error('Nobody is to be asked for this.');
}

const check = (behaviour: string, plan: string, expected: string): void =>
  test(behaviour, async () => {
    const { terminal, said } = terminalWith({ 'interlock.yaml': plan });
    const code = await runCommandLine(['run', '--dry-run'], terminal);
    expect([
      code,
      said.join('').replaceAll(/^ +\d+ {2}| {2}(?:after|not while) .*$/gm, ''),
    ]).toEqual([0, expected]);
  });

check(
  'what others wait for comes first, the longest chain before the others',
  'tasks:\n  a: { run: x }\n  c: { run: x, depends_on: [b] }\n  b: { run: x }\n',
  'b\na\nc\n',
);
check(
  'two writers of one file come one after the other, and others in between',
  'tasks:\n  a: { run: x, writes: [f] }\n  b: { run: x, writes: [f] }\n  c: { run: x }\n',
  '2 warnings: interlock check shows them.\na\nc\nb\n',
);
check(
  'whoever is waited for comes when nothing else is left',
  'tasks:\n  a: { role: human, title: Look }\n  b: { run: x }\n  c: { run: x, depends_on: [a] }\n',
  'b\na  Look  (person)\nc\n',
);
check(
  'what cannot start is named, and so is nothing that waits for it',
  'tasks:\n  a: { run: x, depends_on: [gone] }\n  b: { run: x }\n',
  'b\na: would be left out. There is no task "gone" in this plan.\n',
);

const TWO_PLANS = {
  'one/interlock.yaml': 'tasks:\n  x: { run: a }\n  y: { run: a }\n  z: { run: a }\n',
  'two/interlock.yaml': 'tasks:\n  x: { run: b }\n  y: { run: b }\n',
};

const checkNames = (behaviour: string, words: readonly string[], expected: unknown): void =>
  test(behaviour, async () => {
    const { terminal, said } = terminalWith(TWO_PLANS);
    const code = await runCommandLine(['run', '--dry-run', ...words], terminal);
    expect([code, said.join('').replaceAll(/^ +\d+ {2}/gm, '')]).toEqual(expected);
  });

checkNames(
  'a plan that is named with a task is that of this task only',
  ['one/interlock.yaml:x', 'two/interlock.yaml:y', 'z'],
  [0, 'one/interlock.yaml\nx\nz\ntwo/interlock.yaml\ny\n'],
);
checkNames(
  'one task of each of two plans may have the same name',
  ['two/interlock.yaml:x', 'one/interlock.yaml:x'],
  [0, 'two/interlock.yaml\nx\none/interlock.yaml\nx\n'],
);
checkNames(
  '--plan is for the tasks that name none',
  ['one/interlock.yaml:z', 'y', '--plan', 'two/interlock.yaml'],
  [0, 'one/interlock.yaml\nz\ntwo/interlock.yaml\ny\n'],
);
checkNames(
  'a task that another plan has is not in the plan that is named',
  ['one/interlock.yaml:x', 'two/interlock.yaml:z'],
  [2, 'There is no task "z" in two/interlock.yaml. Tasks here: x, y.\n'],
);
checkNames(
  'a plan that is named with a task has to exist',
  ['one/interlock.yaml:x', 'gone.yaml:y'],
  [2, 'There is no plan "gone.yaml" in this folder.\n'],
);
checkNames(
  'a task that two plans have is asked for with its plan',
  ['x'],
  [
    2,
    'Several plans have a task "x" (one/interlock.yaml, two/interlock.yaml). Say which one with --plan.\n',
  ],
);

test('what a task of another plan needs comes along, and is named by its plan', async () => {
  const { terminal, said } = terminalWith({
    'one.interlock.yaml': 'tasks:\n  x: { run: a, depends_on: [two/y] }\n  z: { run: a }\n',
    'two.interlock.yaml':
      'tasks:\n  y: { run: b, depends_on: [w] }\n  w: { run: b }\n  v: { run: b, after: [one/x] }\n',
  });
  expect(await runCommandLine(['run', '--dry-run', 'x'], terminal)).toBe(0);
  expect(said.splice(0).join('')).toBe(
    'one.interlock.yaml\n   1  x  after two/y\ntwo.interlock.yaml\n   1  w\n   2  y  after w\n',
  );
  expect(await runCommandLine(['run', '--dry-run'], terminal)).toBe(0);
  expect(said.join('')).toBe(
    'one.interlock.yaml\n   1  z\n   2  x  after two/y\ntwo.interlock.yaml\n   1  w\n   2  y  after w\n   3  v  after one/x\n',
  );
});

test('what runs on hosts is told in its order, with where it may run', async () => {
  const text =
    'tasks:\n  a: { run: x, on: box, needs: [gpu] }\n  b: { run: x, depends_on: [a], on: [local, box] }\n  c: { run: x, on: bxo }\n';
  const { terminal, said } = terminalWith({ 'interlock.yaml': text }, { box: { slots: 1 } });
  expect(await runCommandLine(['run', '--dry-run'], terminal)).toBe(3);
  expect(said.join('')).toBe(
    'interlock.yaml:4:20 warning: "bxo" is not among your hosts (box): name it in the setting interlock.hosts. Did you mean "box"?\n   1  a  on box\n   2  b  on local or box  after a\nc: can never start: bxo is not among your hosts.\n',
  );
});

test('what nobody can ever start is told apart, with what waits for it, and is no success', async () => {
  const text =
    'tasks:\n  a: { run: x, needs: [gpu] }\n  b: { run: x }\n  c: { run: x, depends_on: [a] }\n';
  const { terminal, said } = terminalWith({ 'interlock.yaml': text });
  expect(await runCommandLine(['run', '--dry-run'], terminal)).toBe(3);
  expect(said.splice(0).join('')).toBe(
    '   1  b\na: can never start: it needs gpu, which no place has.\nc: waits for a.\n',
  );
  await runCommandLine(['run', '--dry-run', '--json'], terminal);
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ never: [{ task: 'a' }, { task: 'c' }] });
});
