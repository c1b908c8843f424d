import { expect, test } from 'vitest';
import { axisShape } from '../../picture/timeline-picture.ts';
import { toXml } from '../../picture/shape.ts';

const labelsAt = (width: number): readonly string[] => {
  const view = { from: 0, to: 3100, width, labelWidth: 80, origin: 0, nowAt: 3100 };
  return [...toXml(axisShape(view, 100)).matchAll(/<text[^>]*>([^<]*)/g)].map(
    ([, label = '']) => label,
  );
};

test('a time whose words would be cut off has a line only', () => {
  expect(labelsAt(730)).toEqual(['0', '500 ms', '1.0 s', '1.5 s', '2.0 s', '2.5 s']);
  expect(labelsAt(1400).at(-1)).toBe('3.0 s');
});
