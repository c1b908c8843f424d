import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyShape, type Contender, PARALLEL } from './contender.ts';
import { ourCommand, ourCommandMissing, ourState } from './our-command.ts';
import type { GraphTask } from './task-graphs.ts';

/** Each run is a cold one: nobody is there yet, and the board has no past. */
export const OURS: Contender = {
  name: 'interlock',
  kind: 'ours',
  missing: ourCommandMissing,
  runs: anyShape,
  prepare: (tasks, folder) => {
    writePlan(tasks, folder);
    return ourCommand(['run', '--board', folder, '--parallel', String(PARALLEL)], folder);
  },
  reset: (folder) => rmSync(ourState(folder), { recursive: true, force: true }),
};

export function writePlan(tasks: readonly GraphTask[], folder: string): void {
  const lines = tasks.map(({ name, after, command }) => {
    const waits = after.length > 0 ? `, depends_on: [${after.join(', ')}]` : '';
    return `  ${name}: { run: ${JSON.stringify(command)}${waits} }\n`;
  });
  writeFileSync(path.join(folder, 'interlock.yaml'), `tasks:\n${lines.join('')}`);
}
