import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostBook } from '../../../server/system/host-book.ts';

let home = '';
const config = (): string => path.join(home, 'config', 'interlock');
const state = (): string => path.join(home, 'state', 'interlock');
const byHand = (): string => path.join(config(), 'hosts.json');
const ofEditor = (): string => path.join(state(), 'hosts-of-editor.json');

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'interlock-hosts-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function open(): HostBook {
  return new HostBook({ config: config(), state: state() }, 10);
}

function write(text: string): void {
  mkdirSync(config(), { recursive: true });
  writeFileSync(byHand(), text, { mode: 0o600 });
}

/** `name ssh` of each host. */
function hostsOf(book: HostBook): readonly string[] {
  return book.hosts.map(({ name, ssh }) => `${name} ${ssh}`);
}

test('whoever has named no hosts has none, and no file is made for that', () => {
  const book = open();
  expect([book.hosts, book.problems]).toEqual([[], []]);
  expect(() => statSync(state())).toThrow('ENOENT');
});

test('hosts are those of the file and those of the editor, which counts where both name one', () => {
  write('{ "a": { "ssh": "from-file" }, "b": { "ssh": "from-file" } }');
  const book = open();
  book.configure({ b: { ssh: 'from-editor' }, c: {} });
  expect(hostsOf(book)).toEqual(['a from-file', 'b from-editor', 'c c']);
});

test('a host that is gone is none, wherever it is said, and the editor counts', () => {
  write('{ "a": { "gone": true }, "b": { "gone": true }, "c": {} }');
  const book = open();
  book.configure({ b: {}, c: { gone: true } });
  expect([hostsOf(book), book.gone]).toEqual([['b b'], ['a', 'c']]);
});

test('whoever listens hears that a host is gone', () => {
  const book = open();
  book.configure({ a: { gone: true } });
  let count = 0;
  book.onChanged(() => (count += 1));
  book.configure({ a: { gone: true } });
  book.configure({ a: { gone: true }, b: { gone: true } });
  expect([count, book.gone]).toEqual([1, ['a', 'b']]);
});

test('what the editor says is known to whoever has none, and is for nobody else to read', () => {
  open().configure({ a: { ssh: 'kim@a.example' } });
  expect(hostsOf(open())).toEqual(['a kim@a.example']);
  expect(statSync(ofEditor()).mode & 0o777).toBe(0o600);
});

test('an editor goes by its own setting, and not by what another one said', () => {
  open().configure({ a: {} });
  const book = open();
  book.configure({});
  expect(hostsOf(book)).toEqual([]);
  expect(readFileSync(ofEditor(), 'utf8')).toBe('{}\n');
});

test('what is wrong is said with its place, and the rest counts', () => {
  write('{ "a": {}, "b": { "slots": 0 } }');
  const book = open();
  book.configure({ local: {}, c: { sync: 'scp' } });
  expect(hostsOf(book)).toEqual(['a a']);
  expect(book.problems).toEqual([
    `In ${byHand()}, "b": "slots" is a number of tasks from 1 to 1024.`,
    'In the setting "interlock.hosts", "local": A host is named with letters, digits, "." "_" "-" "@" ":", and not "local".',
    'In the setting "interlock.hosts", "c": "sync" is one of none, git, rsync.',
  ]);
});

test('a mistake takes away no host that was there', () => {
  const book = open();
  book.configure({ a: { slots: 2 }, b: {} });
  book.configure({ a: { slots: 'many' } });
  expect(book.hosts.map(({ name, slots }) => [name, slots])).toEqual([['a', 2]]);
  book.configure([]);
  expect(hostsOf(book)).toEqual(['a a']);
  book.configure({});
  expect([book.hosts, book.problems]).toEqual([[], []]);
});

test('a file that is not JSON, or that others can write, names no hosts', () => {
  write('{ "a": ');
  expect(open().problems).toEqual([expect.stringContaining(`${byHand()} is not JSON`)]);
  write('{ "a": {} }');
  chmodSync(byHand(), 0o666);
  const book = open();
  expect(book.hosts).toEqual([]);
  expect(book.problems).toEqual([
    `${byHand()} can be written by others: make it yours, with "chmod go-w ${byHand()}".`,
  ]);
});

test('a file that is changed is read again, and whoever listens is told', async () => {
  const book = open();
  const changed = Promise.withResolvers<void>();
  using _ = book.onChanged(changed.resolve);
  write('{ "a": {} }');
  await changed.promise;
  expect(hostsOf(book)).toEqual(['a a']);
});

test('the same again is no news', () => {
  const book = open();
  book.configure({ a: {} });
  let count = 0;
  using _ = book.onChanged(() => void (count += 1));
  book.configure({ a: {} });
  expect(count).toBe(0);
  book.configure({ a: { slots: 1 } });
  expect(count).toBe(1);
});
