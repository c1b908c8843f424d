import { expect, test } from 'vitest';
import type { BoardWorld } from '../../../server/board/ports.ts';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import type { Terminal } from '../../../server/cli/terminal.ts';

/** A machine with one plan and nothing else; whoever opens its store fails. */
function terminalWith(plan: string): { readonly terminal: Terminal; readonly said: string[] } {
  const said: string[] = [];
  const world: BoardWorld = {
    files: { list: () => ['interlock.yaml'], read: () => plan },
    rules: { foldCase: false },
    ids: { runId: () => unused(), operation: () => unused() },
    defaultParallel: 4,
    hash: () => 'hash',
    realFolder: (folder) => folder,
    open: () => unused(),
  };
  const terminal: Terminal = {
    world: () => world,
    env: {},
    cwd: '/project',
    screen: undefined,
    out: (text) => void said.push(String(text)),
    err: (text) => void said.push(text),
    onInterrupt: () => {},
    onUnread: () => {},
    abort: () => {},
  };
  return { terminal, said };
}

function unused(): never {
  throw new Error('Nobody is to be asked for this.');
}

const check = (behaviour: string, plan: string, expected: string): void =>
  test(behaviour, async () => {
    const { terminal, said } = terminalWith(plan);
    const code = await runCommandLine(['run', '--dry-run'], terminal);
    expect([code, said.join('').replaceAll(/^ +\d+ {2}/gm, '')]).toEqual([0, expected]);
  });

check(
  'what others wait for comes first, the longest chain before the others',
  'tasks:\n  a: { run: x }\n  c: { run: x, depends_on: [b] }\n  b: { run: x }\n',
  'b\na\nc\n',
);
check(
  'two writers of one file come one after the other, and others in between',
  'tasks:\n  a: { run: x, writes: [f] }\n  b: { run: x, writes: [f] }\n  c: { run: x }\n',
  'a\nc\nb\n',
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
check(
  'what nobody can ever start is not in the list',
  'tasks:\n  a: { run: x, needs: [gpu] }\n  b: { run: x }\n',
  'b\n',
);
