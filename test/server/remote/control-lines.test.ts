import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ControlReader, type ControlWord } from '../../../server/remote/control-lines.ts';

/** As tmux 3.3a said it to a client in control mode that made two sessions of one name. */
const RECORDED = `%begin 1763546000 264 0
%end 1763546000 264 0
%session-changed $0 interlock-control-42
%output %0 %begin 1763546000 265 1\\015\\012
%begin 1763546000 271 1
%end 1763546000 271 1
%sessions-changed
%begin 1763546001 275 1
duplicate session: aivcs__shop__play__runner
%error 1763546001 275 1
%begin 1763546001 278 1
%end 1763546001 1 1
%exit
 text
%end 1763546001 278 1
%exit server exited
`;

test('replies to what was asked, and notes', () => {
  expect(read(RECORDED)).toEqual([
    { kind: 'note', name: 'session-changed', rest: '$0 interlock-control-42' },
    { kind: 'note', name: 'output', rest: String.raw`%0 %begin 1763546000 265 1\015\012` },
    { kind: 'reply', succeeded: true, lines: [] },
    { kind: 'note', name: 'sessions-changed', rest: '' },
    { kind: 'reply', succeeded: false, lines: ['duplicate session: aivcs__shop__play__runner'] },
    { kind: 'reply', succeeded: true, lines: ['%end 1763546001 1 1', '%exit', ' text'] },
    { kind: 'note', name: 'exit', rest: 'server exited' },
  ]);
});

test('where it is cut does not matter', () => {
  const expected = read(RECORDED);
  fc.assert(
    fc.property(fc.nat({ max: RECORDED.length }), (cut) => {
      expect(read(RECORDED.slice(0, cut), RECORDED.slice(cut))).toEqual(expected);
    }),
  );
});

test('lines may end as those of a terminal do', () => {
  expect(read('%sessions-changed\r\n')).toHaveLength(1);
});

test.each([
  ['what is no note', 'tmux: not found\n', 'unclear'],
  ['a line without an end', 'x'.repeat(1_100_000), 'overrun'],
  ['a reply without an end', `%begin 1 2 1\n${'x\n'.repeat(10_002)}`, 'overrun'],
  ['a reply of long lines', `%begin 1 2 1\n${`${'x'.repeat(1000)}\n`.repeat(1100)}`, 'overrun'],
])('%s is refused', (_, said, kind) => {
  expect(new ControlReader(() => {}).read(said)?.kind).toBe(kind);
});

function read(...parts: readonly string[]): readonly ControlWord[] {
  const words: ControlWord[] = [];
  const reader = new ControlReader((word) => void words.push(word));
  for (const part of parts) expect(reader.read(part)).toBeUndefined();
  return words;
}
