import { expect, test } from 'vitest';
import { playEpisode } from './episode.ts';

const seed = Date.now() % 1_000_003;

test.each(['kills', 'slots', 'power'])(
  `nothing is lost, done twice or stuck after many kills of the kind "%s" (seed ${seed})`,
  async (kind) => {
    const { violations, kills } = await playEpisode({ seed, kind, kills: 10, tasks: 30 });
    expect(violations).toEqual([]);
    expect([...kills.values()].reduce((sum, count) => sum + count, 0)).toBe(10);
  },
);
