import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyShape, type Contender } from './contender.ts';
import { PEERS, peersMissing } from './peer-packages.ts';
import { programFile } from './program-file.ts';

/** What anybody writes first: a loop over `child_process.spawn`. It keeps nothing and forgets all. */
const SPAWN: Contender = {
  name: 'spawn loop',
  kind: 'loop',
  missing: () => undefined,
  runs: anyShape,
  prepare: (tasks, folder) => {
    writeFileSync(path.join(folder, 'tasks.json'), JSON.stringify(tasks));
    return { file: process.execPath, args: [programFile('spawn-loop'), 'tasks.json'] };
  },
};

const EXECA: Contender = {
  name: 'execa',
  kind: 'npm',
  missing: peersMissing,
  runs: anyShape,
  prepare: (tasks, folder) => {
    writeFileSync(path.join(folder, 'tasks.json'), JSON.stringify(tasks));
    return { file: process.execPath, args: [programFile('execa-loop'), 'tasks.json', PEERS] };
  },
};

export const LOOP_CONTENDERS: readonly Contender[] = [SPAWN, EXECA];
