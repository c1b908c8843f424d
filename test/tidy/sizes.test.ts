import { expect, test } from 'vitest';
import { countLines, projectFiles } from './project-files.ts';

const CEILINGS: Readonly<Record<string, number>> = {
  'README.md': 150,
  'client/extension.ts': 80,
  'server/engine/ports.ts': 160,
  'server/engine/store-port.ts': 160,
  'server/main.ts': 80,
  'server/scheduler/decide.ts': 100,
  'server/server.ts': 100,
};

test('no source file has more than 400 lines', () => {
  const sources = ['ts', 'mts', 'mjs', 'cjs'].flatMap((end) => projectFiles(`**/*.${end}`));
  const tooLong = sources.filter((file) => countLines(file) > 400);
  expect(sources.length).toBeGreaterThan(50);
  expect(tooLong).toEqual([]);
});

test('the files that everybody reads first stay short', () => {
  const tooLong = Object.entries(CEILINGS).filter(([file, most]) => countLines(file) > most);
  expect(tooLong).toEqual([]);
});
