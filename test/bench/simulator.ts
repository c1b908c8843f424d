import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Bench } from './measure.ts';

const SCRIPT = 'scripts/sim.mjs';
const GOAL_PER_SECOND = 1000;
/** Fewer would mostly measure the compiler. */
const SEEDS = '20000';

/** Whole simulated boards, with everything that is checked on them. */
export const SIMULATOR: Bench = {
  name: 'simulator',
  run: () => {
    if (!existsSync(SCRIPT)) return `skipped: there is no ${SCRIPT}`;
    const { stdout } = spawnSync(process.execPath, [SCRIPT, '--seeds', SEEDS], {
      encoding: 'utf8',
    });
    const [, seeds, hours] = /([\d.]+) seeds\/s, ([\d.]+) simulated hours\/s/.exec(stdout) ?? [];
    if (seeds === undefined) return `skipped: ${SCRIPT} does not work at the moment`;
    return [
      {
        what: `needed / simulated seeds a second (${hours} simulated hours a second)`,
        ours: `${seeds}/s`,
        limit: `${GOAL_PER_SECOND}/s`,
        ratio: GOAL_PER_SECOND / Number(seeds),
        atMost: 1,
      },
    ];
  },
};
