import type { Contender } from './contender.ts';
import { atLeast, atMost, type Goal, type Table } from './report.ts';
import { type Shape, SHAPES } from './task-graphs.ts';

/** All times are of one task, but for the start. */
export interface Result {
  readonly shape: Shape;
  readonly command: string;
  readonly name: string;
  readonly kind: Contender['kind'];
  readonly count: number;
  readonly wallMs: number;
  /** What each further task costs once the program runs. */
  readonly afterStartMs: number;
  readonly startMs: number;
  readonly cpuMs: number;
  /** How far the rounds are apart, as a part of their median: with much of it, only CPU counts. */
  readonly spread: number;
  readonly peakMiB: number;
}

const NINJA_AT_MOST: Readonly<Record<Shape, number>> = {
  independent: 1,
  layered: 1.3,
  chain: 1.3,
};
const PEERS_AT_LEAST = 3;

export function tableOf(results: readonly Result[]): Table {
  const [ninja, loop, ours] = ['ninja', 'spawn loop', 'interlock'].map((name) =>
    results.find((result) => result.name === name),
  );
  const sorted = results.toSorted((a, b) => a.wallMs - b.wallMs);
  const title = `${results[0]?.shape}, ${results[0]?.command}, two at a time`;
  const over = (result: Result, other: Result | undefined): number | undefined =>
    other === undefined ? undefined : result.wallMs / other.wallMs;
  const cpuOver = (result: Result, other: Result | undefined): number | undefined =>
    other === undefined ? undefined : result.cpuMs / other.cpuMs;
  const rows = sorted.map((result) => ({
    contender: result.name,
    tasks: result.count,
    'ms a task': result.wallMs,
    'without start': result.kind === 'native' ? undefined : result.afterStartMs,
    'start ms': result.startMs,
    spread: result.spread,
    'CPU ms a task': result.cpuMs,
    'peak MiB': result.peakMiB === 0 ? undefined : result.peakMiB,
    '/ ninja': over(result, ninja),
    '/ spawn loop': over(result, loop),
    '/ interlock': over(result, ours),
    'CPU / ninja': cpuOver(result, ninja),
    'CPU / interlock': cpuOver(result, ours),
  }));
  return { title, rows };
}

export function goalsOf(results: readonly Result[]): readonly Goal[] {
  const commands = [...new Set(results.map(({ command }) => command))];
  return SHAPES.flatMap((shape) =>
    commands.flatMap((command) =>
      goalsOfRow(results.filter((result) => result.shape === shape && result.command === command)),
    ),
  );
}

function goalsOfRow(row: readonly Result[]): readonly Goal[] {
  const ours = row.find(({ kind }) => kind === 'ours');
  if (ours === undefined) return [];
  const where = `${ours.shape}, ${ours.command}`;
  return row.flatMap((peer) => {
    if (peer.name === 'ninja') {
      const bound = NINJA_AT_MOST[ours.shape];
      return [
        atMost(`${where}: ours / ninja`, ours.wallMs / peer.wallMs, bound),
        atMost(`${where}: ours without start / ninja`, ours.afterStartMs / peer.wallMs, bound),
      ];
    }
    if (peer.kind !== 'npm') return [];
    return [atLeast(`${where}: ${peer.name} / ours`, peer.wallMs / ours.wallMs, PEERS_AT_LEAST)];
  });
}
