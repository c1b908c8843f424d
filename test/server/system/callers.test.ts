import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callersOf } from '../../../server/system/callers.ts';

test('two programs of one process have its mark in common, however deep they were started', () => {
  const own = callersOf(process.pid);
  const above = callersOf(process.ppid);
  expect(own[0]).toMatch(/^[0-9a-f]{8}$/);
  expect(own.slice(1)).toEqual(above);
  expect(new Set(own).size).toBe(own.length);
});

test('a process that is over, or that nobody may have, has no callers', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(callersOf(pid)).toEqual([]);
  expect([callersOf(0), callersOf(1), callersOf(-1)]).toEqual([[], [], []]);
});
