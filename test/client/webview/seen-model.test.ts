import { expect, test } from 'vitest';
import { panned, rowsBetween, showing, zoomed } from '../../../client/webview/seen-model.ts';

const WHOLE = { from: 0, to: 1000 };

test('what is under the pointer stays there while the rest comes nearer', () => {
  expect(zoomed(WHOLE, { factor: 2, at: 250, whole: WHOLE })).toEqual({ from: 125, to: 625 });
  const near = zoomed({ from: 125, to: 625 }, { factor: 0.5, at: 250, whole: WHOLE });
  expect(near).toEqual({ from: 0, to: 1000 });
});

test('nobody zooms so far that nothing is left, or so that all is a dot', () => {
  const inmost = zoomed(WHOLE, { factor: 1e9, at: 500, whole: WHOLE });
  expect(inmost.to - inmost.from).toBe(2);
  const outmost = zoomed(WHOLE, { factor: 1e-9, at: 500, whole: WHOLE });
  expect(outmost.to - outmost.from).toBe(4000);
});

test('however far one goes, a part of the time stays in sight', () => {
  let seen = { from: 400, to: 600 };
  for (let times = 0; times < 50; times += 1) seen = panned(seen, { by: 0.5, whole: WHOLE });
  expect(seen).toEqual({ from: 900, to: 1100 });
  for (let times = 0; times < 50; times += 1) seen = panned(seen, { by: -0.5, whole: WHOLE });
  expect(seen).toEqual({ from: -100, to: 100 });
});

test('what is chosen comes into sight, and what is there already does not move', () => {
  const seen = { from: 0, to: 100 };
  expect(showing(seen, { from: 50, to: 60 }, WHOLE)).toBe(seen);
  expect(showing(seen, { from: 500, to: 510 }, WHOLE)).toEqual({ from: 490, to: 590 });
  const later = { from: 600, to: 700 };
  expect(showing(later, { from: 500, to: 510 }, WHOLE)).toEqual({ from: 490, to: 590 });
});

test('only the rows that are seen are drawn', () => {
  const rows = { count: 1000, rowHeight: 24 };
  expect(rowsBetween({ top: 0, height: 480 }, rows)).toEqual({ first: 0, last: 20 });
  expect(rowsBetween({ top: 30, height: 480 }, rows)).toEqual({ first: 1, last: 22 });
  expect(rowsBetween({ top: 23_900, height: 480 }, rows)).toEqual({ first: 995, last: 999 });
  expect(rowsBetween({ top: 0, height: 480 }, { ...rows, count: 0 }).last).toBe(-1);
});
