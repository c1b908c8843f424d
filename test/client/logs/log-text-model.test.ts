import { expect, test } from 'vitest';
import { LogDocumentText } from '../../../client/logs/log-text-model.ts';

const MIB = 1024 * 1024;

test('colours are left out, and progress becomes lines', () => {
  const log = new LogDocumentText();
  expect(log.add('\u001B[31mred\u001B[0m 10%\r20%\u001B[K\n')).toBe(true);
  expect(log.text).toBe('red 10%\n20%\n');
});

test('what is only a colour changes nothing', () => {
  const log = new LogDocumentText();
  expect(log.add('\u001B[0m')).toBe(false);
});

test('of what is too long the beginning and the end stay', () => {
  const log = new LogDocumentText();
  log.add('a'.repeat(MIB));
  for (let count = 0; count < 11; count += 1) log.add('b'.repeat(MIB));
  log.add('c'.repeat(MIB));
  const { text } = log;
  expect(text.startsWith(`${'a'.repeat(MIB)}\n… ${2 * MIB} characters left out …\nb`)).toBe(true);
  expect(text.endsWith('c'.repeat(MIB))).toBe(true);
});
