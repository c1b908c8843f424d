import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromExactJson, toExactJson } from '../../../server/domain/exact-json.ts';

const parts = fc.oneof(
  fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
  fc.constantFrom('~', '~~', '~undefined', '~~undefined', '~NaN', 'undefined', ''),
  fc.jsonValue(),
);

/** Of those parts, lists and objects. */
const values = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, parts, tie('list'), tie('object')),
  list: fc.array(tie('value')),
  object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('~', '__proto__')), tie('value'), {
    noNullPrototype: true,
  }),
})).value;

test('a value comes back from JSON text as it was', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(toExactJson(value));
      expect(fromExactJson(JSON.parse(text))).toStrictEqual(value);
    }),
    { numRuns: 1000 },
  );
});

test('what JSON can say is said as ever', () => {
  const value = { id: 'a', at: 1000, isOver: false, nothing: null, list: ['b', '#~'] };
  expect(toExactJson(value)).toBe(value);
  expect(fromExactJson(value)).toBe(value);
});
