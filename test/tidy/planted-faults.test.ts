import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from '../sim/mutants.mjs';
import { ROOT } from '../support/command.ts';

test('each fault that the simulator plants still has its one place', () => {
  const misplaced = MUTANTS.filter(
    ({ file, find }) => readFileSync(path.join(ROOT, file), 'utf8').split(find).length !== 2,
  );
  expect(misplaced.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
