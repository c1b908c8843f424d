import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, isDay, parseTime } from '../../../../server/plans/kanban/times.ts';

test('times are read and written as the system does it', () => {
  const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z') };
  fc.assert(
    fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
      expect(formatTime(date.getTime())).toBe(date.toISOString());
      expect(parseTime(date.toISOString())).toBe(date.getTime());
    }),
  );
});

test('times have zones, fractions and shorter forms, as in kanban-md', () => {
  const texts = [
    '2026-02-07T10:30:00.123456789+01:00',
    '2026-02-07 09:30:00',
    '2026-2-7',
    '2026-02-07t09:30:00-00:30',
  ];
  expect(texts.map(parseTime)).toStrictEqual(
    [
      '2026-02-07T09:30:00.123Z',
      '2026-02-07T09:30:00Z',
      '2026-02-07T00:00:00Z',
      '2026-02-07T10:00:00Z',
    ].map(Date.parse),
  );
  const wrong = ['', 'now', '2026-02-30', '2026-13-01', '2026-02-07T25:00:00Z', '2026-02-07T10:30'];
  expect(wrong.map(parseTime)).toStrictEqual(wrong.map(() => undefined));
  expect(['2024-02-29', '2023-02-29', '2026-2-7'].map(isDay)).toStrictEqual([true, false, false]);
});
