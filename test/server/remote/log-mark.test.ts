import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stripMark } from '../../../server/remote/log-mark.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MARK = '\u001B_interlock 7\u001B\\';

test.each([
  ['the mark of the attempt goes', `out\n${MARK}`, 'out\n'],
  ['that of another stays', `out\n${MARK.replace('7', '8')}`, `out\n${MARK.replace('7', '8')}`],
  ['one in the middle stays', `${MARK}out\n`, `${MARK}out\n`],
  ['nothing else does', 'out\n', 'out\n'],
  ['an empty log stays empty', '', ''],
])('%s', (_, before, after) => {
  const file = path.join(temporaryFolder(), 'log');
  writeFileSync(file, before);
  stripMark(file, 7);
  expect(readFileSync(file, 'utf8')).toBe(after);
});

test('a log that is not there is no trouble', () => {
  expect(() => stripMark(path.join(temporaryFolder(), 'log'), 7)).not.toThrow();
});
