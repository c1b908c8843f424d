import { expect, test } from 'vitest';
import { allPoints, type PointRun, runPoint } from './points.ts';
import { inParallel } from './report.ts';

const POINTS = 32;
const seed = Date.now() % 1_000_003;

test(`whatever point of the coordinator a kill comes at, another goes on (seed ${seed})`, async () => {
  const points = (await allPoints(seed)).slice(0, POINTS);
  expect(points).toHaveLength(POINTS);
  const found: { readonly point: PointRun; readonly what: string }[] = [];
  let kills = 0;
  await inParallel(points, {
    atOnce: 2,
    work: async (point) => {
      const { violations, wasKilled } = await runPoint(point);
      if (wasKilled) kills += 1;
      for (const { column, what } of violations) found.push({ point, what: `${column}: ${what}` });
    },
  });
  expect(found).toEqual([]);
  // Some runs are over before they come to a late passage.
  expect(kills).toBeGreaterThan(POINTS / 3);
});
