import { setTimeout as pause } from 'node:timers/promises';
import { STEADY } from '../crash/agent-habits.ts';
import type { Duties } from '../crash/part-options.ts';
import { type Part, Stage, within } from '../crash/stage.ts';
import { Random } from '../sim/random.ts';
import { type Sample, takeSample } from './samples.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly everyMs: number;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  readonly runs: number;
  readonly kills: number;
  /** What they said that they were not meant to say. */
  readonly faults: readonly string[];
}

const READY_MS = 30_000;
const ENDED_MS = 30_000;
const QUIET = { agents: [], habits: STEADY } as const;
const EXACT = { nodeOptions: ['--expose-gc'] };
const ENDLESS = 1_000_000_000;

/**
 * One board for a long time: runs come and go, its plan is edited all the time, agents and operators
 * die and come again. The one who decides is killed once, early; from then on two stay to the end.
 */
export async function soak({ seed, durationMs, everyMs }: SoakOptions): Promise<SoakResult> {
  const stage = new Stage();
  const random = new Random(seed);
  const samples: Sample[] = [];
  let kills = 0;
  try {
    stage.plan('version: 1\ntasks: {}\n');
    const mortal = await castOf(stage);
    let staying = await stayingIn(stage);
    const endsAt = performance.now() + durationMs;
    const diesAt = performance.now() + durationMs / 8;
    for (let nextAt = performance.now(); performance.now() < endsAt; nextAt += everyMs) {
      samples.push(await takeSample(stage, staying));
      if (kills === 0 && performance.now() > diesAt) {
        await kill(staying.one);
        kills += 1;
        const another = await started(stage, 'next', QUIET);
        staying = { one: staying.another, another };
      }
      const place = random.below(mortal.length);
      const victim = mortal[place];
      if (victim !== undefined && kills > 0) {
        await kill(victim);
        kills += 1;
        mortal[place] = await started(stage, victim.name, victim.duties);
      }
      await pause(Math.max(0, nextAt + everyMs - performance.now()));
    }
    const hasEnded = await stage.end(ENDED_MS);
    const { journal } = stage;
    const faults = journal.filter(([word]) => word === 'fault').map((words) => words.join(' '));
    if (!hasEnded) faults.push('a process does not end');
    const runs = new Set(
      journal.flatMap(([word, key]) => (word === 'start' ? [key?.split('/')[0]] : [])),
    );
    return { samples, runs: runs.size, kills, faults };
  } finally {
    await stage.clear();
  }
}

/** The one that decides is there first. */
async function stayingIn(stage: Stage): Promise<{ one: Part; another: Part }> {
  const [one] = stage.parts;
  if (one === undefined) throw new Error('Nobody decides.');
  return { one, another: await started(stage, 'another', QUIET) };
}

async function castOf(stage: Stage): Promise<Part[]> {
  await started(stage, 'one', QUIET);
  const operator = { runs: ENDLESS, cancels: [], isMoody: true, edits: true };
  return [
    await started(stage, 'agent', { agents: ['agent/one'], habits: STEADY }),
    await started(stage, 'operator', { ...QUIET, operator }),
  ];
}

async function started(stage: Stage, name: string, duties: Duties): Promise<Part> {
  const part = await stage.start(name, duties, EXACT);
  await part.says('ready', READY_MS);
  return part;
}

async function kill(part: Part): Promise<void> {
  part.signal('SIGKILL');
  await within(READY_MS, part.gone);
}
