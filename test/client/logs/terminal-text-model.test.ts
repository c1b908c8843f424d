import { expect, test } from 'vitest';
import {
  saidLine,
  terminalLines,
  terminalName,
  TerminalText,
  whyNothing,
} from '../../../client/logs/terminal-text-model.ts';
import { taskViews } from '../../support/task-views.ts';
import type { AttemptName, LogEnded, LogOutput } from '../../../protocol/logs.ts';

const RUN = '0mabcdef-0123456789';

function output(task: string, text: string, of: Partial<AttemptName> = {}): LogOutput {
  return {
    follower: 'me',
    task,
    attempt: { run: RUN, revision: 1, attempt: 1, ...of },
    text,
    isNewest: true,
  };
}

function end(task: string, exitCode: number, detail: string): LogEnded {
  const state = exitCode === 0 ? 'completed' : 'failed';
  return { follower: 'me', task, state, detail, exitCode, isLast: false };
}

/** Without colours. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with one
  return text.replaceAll(/\u001B\[\d+m/g, '');
}

test('a line ends with CR and LF', () => {
  expect(terminalLines('a\nb\n')).toBe('a\r\nb\r\n');
  expect(saidLine('so it is')).toBe('\u001B[3mso it is\u001B[0m\r\n');
});

test('the output of one task comes as it is, and its end begins a line', () => {
  const text = new TerminalText(['api']);
  expect(text.output(output('api', '10%\r20%'))).toBe('10%\r20%');
  expect(plain(text.ended(end('api', 3, 'exit code 3 after 40 ms')))).toBe(
    '\r\n✗ api failed: exit code 3 after 40 ms\r\n',
  );
});

test('a task that has completed says so', () => {
  const text = new TerminalText(['api']);
  text.output(output('api', 'done\n'));
  text.output(output('api', '\u001B[0m'));
  expect(plain(text.ended(end('api', 0, '40 ms')))).toBe('✓ api completed in 40 ms\r\n');
});

test('another attempt and another run are told apart', () => {
  const text = new TerminalText(['api']);
  expect(text.output(output('api', 'one'))).toBe('one');
  expect(plain(text.output(output('api', 'two\n', { attempt: 2 })))).toBe(
    '\r\n── api is tried again: attempt 2 ──\r\ntwo\r\n',
  );
  expect(plain(text.output(output('api', 'three\n', { run: '0mabcdeg-0123456789' })))).toBe(
    '── api is run again ──\r\nthree\r\n',
  );
});

test('the lines of several tasks do not mix, and say whose they are', () => {
  const text = new TerminalText(['api', 'schema']);
  expect(plain(text.output(output('api', 'half')))).toBe('');
  expect(plain(text.output(output('schema', 'one\ntwo\n')))).toBe(
    'schema │ one\r\nschema │ two\r\n',
  );
  expect(plain(text.output(output('api', ' a line\nrest')))).toBe('api    │ half a line\r\n');
  expect(plain(text.ended(end('api', 1, 'exit code 1')))).toBe(
    'api    │ rest\r\napi    │ ✗ api failed: exit code 1\r\n',
  );
  expect(text.output(output('schema', '\u001B[0m'))).toBe('');
  expect(plain(text.ended(end('schema', 0, '1 s')))).toBe('schema │ ✓ schema completed in 1 s\r\n');
});

test('each part of progress that is written over itself is a line of its own beside a name', () => {
  const text = new TerminalText(['api', 'schema']);
  expect(plain(text.output(output('api', '10%\r20%\n')))).toBe('api    │ 10%\r\napi    │ 20%\r\n');
});

test('what a task has said last is said once, however often it ends', () => {
  const text = new TerminalText(['api', 'schema']);
  text.output(output('api', 'rest'));
  const ended = plain(text.ended(end('api', 1, 'exit code 1')));
  expect(ended).toBe('api    │ rest\r\napi    │ ✗ api failed: exit code 1\r\n');
  expect(plain(text.ended(end('api', 0, '1 s')))).toBe('api    │ ✓ api completed in 1 s\r\n');
});

test('a task that was begun anew is told apart', () => {
  const text = new TerminalText(['api']);
  text.output(output('api', 'one\n'));
  expect(plain(text.output(output('api', 'two\n', { revision: 2 })))).toBe(
    '── api is tried again: attempt 1 ──\r\ntwo\r\n',
  );
});

test('the name of a terminal says how its task has ended', () => {
  expect(terminalName('api', undefined)).toBe('api');
  expect(terminalName('api', end('api', 0, ''))).toBe('✓ api');
  expect(terminalName('api', end('api', 3, ''))).toBe('✗ api');
});

test('a terminal with nothing in it says why', () => {
  const views = taskViews(`
    api: idle
    docs: blocked, a task needs "run"
    web: waiting, waits for api
    all: running
    old: completed, 3 s
  `);
  expect(views.map(whyNothing)).toEqual([
    'api has not run yet. What it prints is shown here when it does.',
    'docs cannot start: a task needs "run"',
    'web: waits for api',
    undefined,
    undefined,
  ]);
});
