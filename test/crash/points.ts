import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Random } from '../sim/random.ts';
import { STEADY } from './agent-habits.ts';
import type { Duties } from './part-options.ts';
import { BOARDS, type BoardName, smallPlan } from './plans.ts';
import type { KillPoint } from './probe.ts';
import { inParallel } from './report.ts';
import { Stage, within } from './stage.ts';
import { takeOverMs } from './take-over.ts';
import { violationsOf, type Violation } from './verdict.ts';

/** Who goes on: one that followed until then, or one that is started afterwards. */
const SUCCESSIONS = ['follow', 'restart'] as const;

export interface Scene {
  readonly board: BoardName;
  readonly succession: (typeof SUCCESSIONS)[number];
}

export interface PointRun extends Scene, KillPoint {}

export interface PointResult {
  readonly run: PointRun;
  /** It may be over before it comes to a late point. */
  readonly wasKilled: boolean;
  readonly violations: readonly Violation[];
  readonly takeOverMs: number | undefined;
}

export const SCENES: readonly Scene[] = BOARDS.flatMap((board) =>
  SUCCESSIONS.map((succession) => ({ board, succession })),
);

const READY_MS = 30_000;
/** Far more than any of the boards takes, also where everything else is busy. */
const OVER_MS = 60_000;

/** Every point of every board, as often as it is passed, in an order by the seed. */
export async function allPoints(
  seed: number,
  scenes: readonly Scene[] = SCENES,
): Promise<readonly PointRun[]> {
  const counted: PointRun[] = [];
  const count = async (scene: Scene): Promise<void> =>
    void counted.push(...(await passagesIn(scene)));
  await inParallel(scenes, { atOnce: 2, work: count });
  return shuffled(counted, new Random(seed));
}

/** Once without any kill: how often it comes to each point. */
async function passagesIn(scene: Scene): Promise<readonly PointRun[]> {
  const stage = new Stage();
  try {
    const countsFile = path.join(stage.folder, 'counts');
    const { first, other } = await cast(stage, scene, { countsFile });
    const isOver = await (other ?? first).says('over', OVER_MS);
    const hasEnded = await stage.end(OVER_MS);
    const violations = violationsOf(stage, { mayLoseResults: false });
    if (!isOver || !hasEnded || violations.length > 0)
      throw new Error(`It goes wrong without a kill: ${JSON.stringify({ scene, violations })}`);
    const counts: readonly (readonly [string, number])[] = JSON.parse(
      readFileSync(countsFile, 'utf8'),
    );
    return counts.flatMap(([point, passages]) =>
      Array.from({ length: passages }, (_, index) => ({ ...scene, point, passage: index + 1 })),
    );
  } finally {
    await stage.clear();
  }
}

/** One process is killed there, and another brings everything to its end. */
export async function runPoint(run: PointRun): Promise<PointResult> {
  const { point, passage } = run;
  const stage = new Stage();
  try {
    const { first, other, duties } = await cast(stage, run, { killAt: { point, passage } });
    const last = other ?? first;
    await Promise.race([first.gone, last.says('over', OVER_MS)]);
    const wasKilled = stage.journal.some(([word]) => word === 'killed');
    if (wasKilled) await within(OVER_MS, first.gone);
    const next = other ?? (wasKilled ? await stage.start('next', duties) : first);
    const isOver = await next.says('over', OVER_MS);
    const hasEnded = await stage.end(OVER_MS);
    const violations = [...violationsOf(stage, { mayLoseResults: false })];
    if (!isOver) violations.push({ column: 'stuck', what: 'it does not come to its end' });
    else if (!hasEnded) violations.push({ column: 'stuck', what: 'a process does not end' });
    return { run, wasKilled, violations, takeOverMs: other && takeOverMs(stage.journal) };
  } finally {
    await stage.clear();
  }
}

type Doomed = { readonly killAt: KillPoint } | { readonly countsFile: string };

/** The first decides, and is the one to be killed; another follows it and asks for everything. */
async function cast(stage: Stage, { board, succession }: Scene, doomed: Doomed) {
  const { text, cancels } = smallPlan(board, stage.folder);
  stage.plan(text);
  const operator = { runs: 1, cancels, isMoody: false };
  const duties: Duties = { agents: ['agent/one', 'agent/two'], habits: STEADY, operator };
  if (succession === 'restart')
    return { first: await stage.start('first', duties, doomed), other: undefined, duties };
  const first = await stage.start('first', { agents: [], habits: STEADY }, doomed);
  await first.says('ready', READY_MS);
  return { first, other: await stage.start('other', duties), duties };
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random.next() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
