import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { applyEdits } from '../../../server/handlers/open-documents.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n', '😀'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const place = fc.record({
  line: fc.oneof(fc.nat(6), fc.constantFrom(1000, 1001, 2 ** 31, Number.MAX_SAFE_INTEGER)),
  character: fc.oneof(fc.nat(6), fc.constantFrom(1000, Number.MAX_SAFE_INTEGER)),
});
const edit = fc.oneof(
  {
    arbitrary: fc.record({ range: fc.record({ start: place, end: place }), text }),
    weight: 9,
  },
  fc.record({ text }),
);

test('edits anywhere, also beyond the end, leave a document that agrees with its text', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 4 }),
      (before, all) => {
        const document = TextDocument.create('file:///x', 'plaintext', 0, before);
        let expected = before;
        for (const [index, edits] of all.entries()) {
          applyEdits(document, edits, index + 1);
          for (const each of edits) expected = edited(expected, each);
          expect(document.getText()).toBe(expected);
          const fresh = TextDocument.create('file:///x', 'plaintext', 0, expected);
          expect(document.lineCount).toBe(fresh.lineCount);
          for (let at = 0; at <= expected.length; at += 1)
            expect(document.positionAt(at)).toStrictEqual(fresh.positionAt(at));
        }
        expect(document.version).toBe(all.length);
      },
    ),
    { numRuns: 1000 },
  );
});

interface Place {
  readonly line: number;
  readonly character: number;
}

/** The same by hand: what is beyond a line is its end, and what is beyond the text is the text's end. */
function edited(
  before: string,
  { range, text: added }: { readonly range?: { start: Place; end: Place }; readonly text: string },
): string {
  if (range === undefined) return added;
  const [start, end] = [range.start, range.end]
    .map((each) => offsetIn(before, each))
    .toSorted((a, b) => a - b);
  return before.slice(0, start) + added + before.slice(end);
}

function offsetIn(whole: string, { line, character }: Place): number {
  const lines = whole.split(/(?<=\r\n|\n|\r(?!\n))/);
  if (/[\r\n]$/.test(whole)) lines.push('');
  const start = lines.slice(0, line).join('').length;
  if (line >= lines.length) return whole.length;
  return start + Math.min(character, lines[line]!.replace(/[\r\n]+$/, '').length);
}

test(
  'two edits beyond the end are answered at once, as edits at the end',
  { timeout: 2000 },
  () => {
    const document = TextDocument.create('file:///x', 'plaintext', 0, 'a\n');
    // As many lines as are added: the document takes their numbers at their word.
    const range = { start: placeAt(2 ** 31), end: placeAt(2 ** 31 + 1) };
    const applied = applyEdits(document, [range, range].map(asEdit), 1);
    expect(document.getText()).toBe('a\nb\nb\n');
    const ends = [placeAt(1), placeAt(2)].map((end) => ({ start: end, end }));
    expect(applied).toStrictEqual(ends.map(asEdit));
  },
);

function placeAt(line: number): Place {
  return { line, character: 0 };
}

function asEdit(range: { readonly start: Place; readonly end: Place }): {
  readonly range: { start: Place; end: Place };
  readonly text: string;
} {
  return { range, text: 'b\n' };
}
