import { expect, test } from 'vitest';
import { redact } from '../../../server/cli/redact.ts';

const hash = (text: string): string => `hash-of-${text}`;
const TASK = {
  id: 'a',
  title: 'Ask them',
  command: { kind: 'program', file: 'curl', args: ['-H', 'Token: x'] },
  cwd: 'src',
  env: { TOKEN: 'hush', EMPTY: '' },
  writes: ['src/**'],
};

test('values of variables are never told, not even by a hash', () => {
  expect(redact({ tasks: [TASK] }, { level: 'environment', hash })).toEqual({
    tasks: [{ ...TASK, env: { TOKEN: '(4 characters)', EMPTY: '(0 characters)' } }],
  });
});

test('with --redact commands and texts are told by length and hash, what decides as it is', () => {
  expect(redact(TASK, { level: 'all', hash })).toEqual({
    id: 'a',
    title: '(8 characters, hash-of-Ask )',
    command: {
      kind: 'program',
      file: '(4 characters, hash-of-curl)',
      args: ['(2 characters, hash-of--H)', '(8 characters, hash-of-Toke)'],
    },
    cwd: 'src',
    env: { TOKEN: '(4 characters)', EMPTY: '(0 characters)' },
    writes: ['src/**'],
  });
});

test('keys of the user are kept as keys, whatever they are called', () => {
  const value: unknown = JSON.parse('{"limits":{"__proto__":1,"env":2}}');
  expect(JSON.stringify(redact(value, { level: 'all', hash }))).toBe(JSON.stringify(value));
});
