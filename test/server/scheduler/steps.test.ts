import { expect, test } from 'vitest';
import { assert } from '../../../server/domain/assert.ts';
import { decide } from '../../../server/scheduler/decide.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';

/** How many steps something takes, by how many tasks or runs there are. */
function check(name: string, stepsOf: (size: number) => number): void {
  test(`${name} takes no more than twice the steps for twice as many`, () => {
    const [once, twice] = [stepsOf(50), stepsOf(100)];
    expect(once).toBeGreaterThan(0);
    expect(twice).toBeLessThanOrEqual(2.2 * once);
  });
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** How often the edges of the run are looked at. */
function edgesLookedAt(on: Play, act: () => void): number {
  let count = 0;
  const [run] = on.board.runs.values();
  if (run === undefined) return count;
  for (const name of ['forEachPredecessor', 'forEachSuccessor'] as const) {
    const original = run[name].bind(run);
    run[name] = (entry, visit) => {
      original(entry, (other, mustComplete) => {
        count += 1;
        visit(other, mustComplete);
      });
    };
  }
  act();
  return count;
}

check('reviving a chain that somebody needs all of', (size) => {
  const chain = range(size).map((n) => (n === 0 ? 'c0: failed' : `c${n}: needs c${n - 1}`));
  const all = range(size).map((n) => `c${n}`);
  const on = new Play(`${chain.join('\n')}\nsum: needs ${all.join(' ')}\nx: person`);
  play(on, 'rest; retry c0');
  return edgesLookedAt(on, () => {
    const revived = on.turn().filter(({ kind }) => kind === 'revive');
    assert(revived.length === size, 'all of it is revived');
  });
});

check('a turn in which each of many runs has waited too long', (size) => {
  const runs = range(size).map(
    (n) => `run run-${1000 + n}: parallel 1\na: ${n === 0 ? 'running' : ''}`,
  );
  const on = new Play(runs.join('\n'));
  on.wait(130_000);
  let reads = 0;
  for (const { manifest } of on.board.runs.values())
    Object.defineProperty(manifest.policy, 'parallel', {
      get: () => {
        reads += 1;
        return 1;
      },
    });
  decide(on.board, on.now);
  return reads;
});

/** Something takes the same steps however many tasks there are. */
function checkSame(name: string, stepsOf: (size: number) => number): void {
  test(`${name} takes as many steps for twice as many tasks`, () => {
    const [once, twice] = [stepsOf(200), stepsOf(400)];
    expect(twice).toBe(once);
  });
}

/** How often anybody looks at what a task asks for, or when it is its turn. */
function looksAtTasks(on: Play, act: () => void): number {
  let count = 0;
  for (const { entries } of on.board.runs.values())
    for (const entry of entries) {
      const { asks, pathMs } = entry;
      const counted = (value: unknown): PropertyDescriptor => ({
        get: () => {
          count += 1;
          return value;
        },
      });
      Object.defineProperties(entry, { asks: counted(asks), pathMs: counted(pathMs) });
    }
  act();
  return count;
}

function waitingFor(size: number, who: string): string {
  return range(size)
    .map((n) => `t${n}: ${who}, writes f${n}`)
    .join('\n');
}

const WORKERS = range(3)
  .map((n) => `worker bot-${n}`)
  .join('\n');

checkSame('the claim of a worker', (size) => {
  const on = new Play(`${WORKERS}\n${waitingFor(size, 'agent')}`);
  on.turns();
  return looksAtTasks(on, () => {
    assert(play(on, 'bot-0 claims') === 'claimed t0', 'there is something to claim');
  });
});

checkSame('a cycle that wakes somebody', (size) => {
  const on = new Play(`${WORKERS}\n${waitingFor(size, 'agent')}`);
  return looksAtTasks(on, () => {
    assert(on.turn().filter(({ kind }) => kind === 'wake').length === 3, 'each is woken');
  });
});

checkSame('an event while nobody is idle', (size) => {
  const on = new Play(`worker bot: busy\n${waitingFor(size, 'agent')}\na: running\nb: needs a`);
  on.wait(60_000);
  on.turns();
  play(on, 'runner/local completes a');
  return looksAtTasks(on, () => {
    assert(
      on.turns().some(({ kind }) => kind === 'claim'),
      'something happens',
    );
  });
});

checkSame('a cycle in which nobody fits', (size) => {
  const on = new Play(`${WORKERS}\n${waitingFor(size, 'agent, capable gpu')}`);
  on.wait(130_000);
  return looksAtTasks(on, () => {
    on.turn();
  });
});
