import { nothingTyped } from './no-input.ts';
import { NO_FILES, NO_HOSTS, plansInMemory } from './plans-in-memory.ts';
import type { BoardWorld } from '../../server/board/ports.ts';
import { runCommandLine } from '../../server/cli/command-line.ts';
import { HandTime } from './hand-time.ts';

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `interlock …` on a machine with one plan and nothing else; whoever opens its store fails. */
export async function typeLine(
  words: string,
  { plan = '', cwd = '/project' }: { readonly plan?: string; readonly cwd?: string } = {},
): Promise<Typed> {
  let [out, err] = ['', ''];
  const world: BoardWorld = {
    files: plansInMemory(plan === '' ? {} : { 'interlock.yaml': plan }),
    shared: NO_FILES,
    hosts: NO_HOSTS,
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
  const code = await runCommandLine(words === '' ? [] : words.split(' '), {
    world: () => world,
    env: {},
    cwd,
    screen: undefined,
    isAttended: false,
    out: (text) => void (out += String(text)),
    err: (text) => void (err += text),
    onInterrupt: () => {},
    input: nothingTyped(),
    callers: () => [],
    starterHasEnded: () => false,
    onUnread: () => {},
    attach: unused,
    handOver: unused,
    keyPressed: async () => {},
    abort: () => {},
  });
  return { code, out, err };
}

function unused(): never {
  throw new Error('Nobody is to be asked for this.');
}
