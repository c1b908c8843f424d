import { expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { DiagnosticsBook } from '../../../server/handlers/diagnostics-book.ts';

function saying(message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return { message, range: { start, end: start } };
}

function textOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

function recorded(): { readonly book: DiagnosticsBook; readonly told: string[] } {
  const told: string[] = [];
  const book = new DiagnosticsBook((uri, diagnostics) => {
    told.push(`${uri}: ${diagnostics.map(textOf).join(', ')}`);
  });
  return { book, told };
}

test('what several parts say of a document at once is told once', async () => {
  const { book, told } = recorded();
  book.set('a', 'plan', [saying('typo')]);
  book.set('a', 'ownership', [saying('held')]);
  await Promise.resolve();
  expect(told).toEqual(['a: typo, held']);
});

test('what is said again is not told again', async () => {
  const { book, told } = recorded();
  book.set('a', 'plan', [saying('typo')]);
  await Promise.resolve();
  book.set('a', 'plan', [saying('typo')]);
  book.set('b', 'plan', []);
  await Promise.resolve();
  expect(told).toEqual(['a: typo']);
});

test('a part that falls silent leaves what others say', async () => {
  const { book, told } = recorded();
  book.set('a', 'plan', [saying('typo')]);
  book.set('a', 'ownership', [saying('held')]);
  await Promise.resolve();
  book.set('a', 'plan', []);
  await Promise.resolve();
  book.set('a', 'ownership', []);
  await Promise.resolve();
  expect(told).toEqual(['a: typo, held', 'a: held', 'a: ']);
});
