import type { UserHosts } from '../../server/board/host-ports.ts';
import type { MirrorMark, PlanFiles, SharedFiles } from '../../server/board/ports.ts';

/** Plans that lie nowhere, by their paths. */
export function plansInMemory(texts: Readonly<Record<string, string>>): PlanFiles {
  return {
    list: () => Object.keys(texts).map((path) => ({ path, kind: 'interlock', files: [path] })),
    board: () => undefined,
    read: (_, file) => texts[file],
    entries: () => [],
    filesBelow: () => nothing(),
    isFile: (_, file) => file in texts,
  };
}

// eslint-disable-next-line require-yield
async function* nothing(): AsyncGenerator<string> {}

/** Where no board is, nothing of one is written. */
export const NO_FILES: SharedFiles = { change: () => ({ kind: 'gone' }), timeOfDay: () => 0 };
export const NO_MARK: MirrorMark = { read: () => undefined, write: () => {} };
/** Where nothing leads to another machine. */
export const NO_HOSTS: UserHosts = {
  hosts: [],
  gone: [],
  problems: [],
  onChanged: () => ({ [Symbol.dispose]: () => {} }),
  configure: () => {},
};
