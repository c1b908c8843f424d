import { expect, test } from 'vitest';
import {
  boolean,
  list,
  number,
  object,
  parsed,
  record,
  type Shape,
  ShapeError,
  text,
  union,
  whole,
  word,
} from '../../../server/keeper/shape.ts';

function check(
  name: string,
  {
    shape,
    refused,
    taken,
  }: { shape: Shape<unknown>; refused: readonly unknown[]; taken: unknown[] },
): void {
  test(name, () => {
    for (const value of taken) expect(shape(value, 'it')).toStrictEqual(value);
    for (const value of refused) expect(() => shape(value, 'it')).toThrow(ShapeError);
  });
}

const NO_OBJECTS = [null, undefined, 'x', 1, true, [], [1]];

check('an object has its fields, and may have others', {
  shape: object({ a: text(5) }, { b: boolean }),
  taken: [{ a: '' }, { a: 'x', b: false }, { b: true, a: 'x' }],
  refused: [...NO_OBJECTS, {}, { b: true }, { a: 1 }, { a: 'x', b: 'x' }, { a: 'x', b: null }],
});

check('a list has parts of one shape, and not too many', {
  shape: list(boolean, 2),
  taken: [[], [true], [true, false]],
  refused: [null, {}, 'ab', { length: 1, 0: true }, [1], [true, undefined], [true, true, true]],
});

check('a record has names of one shape', {
  shape: record(text(2), boolean, 2),
  taken: [{}, { a: true, bc: false }, { '': true }, { '0': true }],
  refused: [...NO_OBJECTS, { abc: true }, { a: 1 }, { a: true, b: true, c: true }],
});

check('text has no half characters and no NUL, and is not too long', {
  shape: text(3),
  taken: ['', 'abc', '\n', '\u{1f600}'],
  refused: [null, 1, ['a'], {}, 'abcd', '\ud83d', '\ude00a', 'a\0'],
});

check('a whole number is safe and within its bounds', {
  shape: whole({ from: -2, to: 2 ** 53 - 1 }),
  taken: [-2, 0, 2 ** 53 - 1],
  refused: [-3, 2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true, 1n],
});

check('a number is finite and within its bounds', {
  shape: number({ from: 0, to: Number.MAX_VALUE }),
  taken: [0, 0.5, Number.MAX_VALUE],
  refused: [-0.1, Number.NaN, Number.POSITIVE_INFINITY, '1', null],
});

check('true and false are no numbers', {
  shape: boolean,
  taken: [true, false],
  refused: [0, 1, 'true', null, undefined],
});

check('a word is one of some', {
  shape: word('wait', 'warn'),
  taken: ['wait', 'warn'],
  refused: ['', 'Wait', 'toString', ['wait'], null, 1],
});

check('of objects of several kinds one is read by its kind', {
  shape: union<object>({
    a: object({ kind: word('a'), x: boolean }),
    b: object({ kind: word('b') }),
  }),
  taken: [{ kind: 'a', x: true }, { x: true, kind: 'a' }, { kind: 'b' }],
  refused: [...NO_OBJECTS, {}, { kind: 'a' }, { kind: 'c' }, { kind: ['b'] }, { kind: 'toString' }],
});

test('text is read by its parser, which may refuse it', () => {
  const shape = parsed((said) => (said === 'one' ? 1 : undefined), {
    longest: 5,
    need: 'a numeral is needed',
  });
  expect(shape('one', 'it')).toBe(1);
  expect(() => shape('two', 'it')).toThrow('it: a numeral is needed');
  expect(() => shape('longer', 'it')).toThrow('it: there may be 5 characters at most');
});

test('the message says where', () => {
  const shape = object({
    a: list(record(text(9), object({ b: number({ from: 1, to: 2 }) }), 9), 9),
  });
  expect(() => shape({ a: [{}, { c: { b: 3 } }] }, 'params')).toThrow(
    'params.a[1].c.b: a number from 1 to 2 is needed',
  );
  expect(() => shape({ a: [{ c: {} }] }, 'params')).toThrow('params.a[0].c.b: this is missing');
});

test('a name that is too long is not said again as a whole', () => {
  const shape = record(text(10), boolean, 1);
  const name = 'x'.repeat(100_000);
  expect(() => shape({ [name]: true }, 'it')).toThrow(
    `it.${'x'.repeat(64)}: there may be 10 characters at most`,
  );
});

test('unknown fields are left out, and fields of prototypes are none', () => {
  const shape = object({}, { toString: text(5), a: boolean });
  expect(shape({ a: true, b: 1 }, 'it')).toStrictEqual({ a: true });
  const sent: unknown = JSON.parse('{"__proto__":{"a":true},"constructor":1}');
  expect(Object.keys(shape(sent, 'it'))).toStrictEqual([]);
  const needs = object({ toString: text(5) });
  expect(() => needs({}, 'it')).toThrow('it.toString: this is missing');
});

test('a record has no name that objects have from elsewhere', () => {
  const shape = record(text(99), text(99), 9);
  for (const name of ['__proto__', 'constructor', 'prototype'])
    expect(() => shape(JSON.parse(`{"${name}":"x"}`), 'it')).toThrow(
      `it.${name}: this name is not allowed`,
    );
  expect(shape(JSON.parse('{"toString":"x"}'), 'it')).toStrictEqual({ toString: 'x' });
});

test('a field that is undefined is not there', () => {
  const shape = object({ a: boolean }, { b: boolean });
  expect(shape({ a: true, b: undefined }, 'it')).toStrictEqual({ a: true });
  expect(() => shape({ a: undefined }, 'it')).toThrow('it.a: this is missing');
});

test('what is read is a value of its own', () => {
  const sent = { list: [{}], record: { a: 'x' } };
  const read = object({ list: list(object({}), 9), record: record(text(9), text(9), 9) })(
    sent,
    'it',
  );
  sent.list.push({});
  sent.record.a = 'y';
  expect(read).toStrictEqual({ list: [{}], record: { a: 'x' } });
});

test('zero has no sign, as on the disk', () => {
  expect(number({ from: 0, to: 1 })(-0, 'it')).toBe(0);
  expect(whole({ from: 0, to: 1 })(-0, 'it')).toBe(0);
});
