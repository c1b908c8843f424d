import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyShape, type Contender, PARALLEL } from './contender.ts';
import { onPath } from './on-path.ts';
import type { GraphTask } from './task-graphs.ts';

const jobs = `-j${PARALLEL}`;

/** Outputs that never come to be are always out of date. */
const NINJA: Contender = {
  ...native('ninja'),
  runs: anyShape,
  prepare: (tasks, folder) => {
    const builds = tasks.map(
      ({ name, after, command }) =>
        `build ${name}: run${after.length > 0 ? ` | ${after.join(' ')}` : ''}\n  line = ${command}\n`,
    );
    const rule = 'rule run\n  command = $line\n  description = $out\n';
    writeFileSync(path.join(folder, 'build.ninja'), `${rule}${builds.join('')}`);
    return { file: 'ninja', args: ['--quiet', jobs] };
  },
};

const MAKE: Contender = {
  ...native('make'),
  runs: anyShape,
  prepare: (tasks, folder) => {
    const names = tasks.map(({ name }) => name).join(' ');
    const rules = tasks.map(
      ({ name, after, command }) => `${name}: ${after.join(' ')}\n\t@${command}\n`,
    );
    const text = `all: ${names}\n.PHONY: all ${names}\n${rules.join('')}`;
    writeFileSync(path.join(folder, 'Makefile'), text);
    return { file: 'make', args: ['--silent', '--no-builtin-rules', jobs] };
  },
};

const GNU_PARALLEL: Contender = {
  ...native('parallel'),
  runs: (shape) => shape === 'independent',
  prepare: (tasks: readonly GraphTask[], folder) => {
    const lines = tasks.map(({ command }) => `${command}\n`);
    writeFileSync(path.join(folder, 'lines'), lines.join(''));
    const env = { PARALLEL_HOME: folder };
    return { file: 'parallel', args: ['--will-cite', jobs, '--arg-file', 'lines'], env };
  },
};

export const NATIVE_CONTENDERS: readonly Contender[] = [NINJA, MAKE, GNU_PARALLEL];

function native(name: string): Pick<Contender, 'name' | 'kind' | 'missing'> {
  const why = `${name} is not installed on this machine`;
  return { name, kind: 'native', missing: () => (onPath(name) === undefined ? why : undefined) };
}
