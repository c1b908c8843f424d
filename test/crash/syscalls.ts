import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { STEADY } from './agent-habits.ts';
import type { Duties } from './part-options.ts';
import { BOARDS, type BoardName, smallPlan } from './plans.ts';
import { Stage, within } from './stage.ts';
import { tenuresOf, violationsOf, type Violation } from './verdict.ts';

export const STRACE = '/usr/bin/strace';
/** With these SQLite and the term reserve write, and with these a name comes or goes. */
const CALLS = ['pwrite64', 'write', 'fsync', 'fdatasync', 'rename', 'unlink', 'ftruncate'] as const;
const OVER_MS = 60_000;

export interface SystemCall {
  readonly board: BoardName;
  readonly call: string;
  readonly number: number;
}

export interface SystemCallResult {
  readonly at: SystemCall;
  readonly wasKilled: boolean;
  readonly violations: readonly Violation[];
}

/** Whether a process can be killed at a system call on this machine. */
export function canTrace(): boolean {
  return existsSync(STRACE) && spawnSync(STRACE, ['-qq', 'true']).status === 0;
}

/** Each system call with which the process that decides writes, once without a kill. */
export async function allSystemCalls(): Promise<readonly SystemCall[]> {
  const all: (readonly SystemCall[])[] = [];
  for (const board of BOARDS) all.push(await systemCallsOn(board));
  return all.flat();
}

async function systemCallsOn(board: BoardName): Promise<readonly SystemCall[]> {
  const stage = new Stage();
  try {
    const log = path.join(stage.folder, 'strace');
    const trace = [STRACE, '-qq', '-o', log, '-e', `trace=${CALLS.join(',')}`];
    const part = await start(stage, board, trace);
    await part.says('over', OVER_MS);
    await stage.end(OVER_MS);
    const lines = readFileSync(log, 'utf8').split('\n');
    return CALLS.flatMap((call) => {
      const { length } = lines.filter((line) => line.startsWith(`${call}(`));
      return Array.from({ length }, (_, index) => ({ board, call, number: index + 1 }));
    });
  } finally {
    await stage.clear();
  }
}

/** It dies on the way into the call, and the next process brings everything to its end. */
export async function runSystemCall(at: SystemCall): Promise<SystemCallResult> {
  const { board, call, number } = at;
  const stage = new Stage();
  try {
    const inject = `inject=${call}:signal=KILL:when=${number}`;
    const under = [STRACE, '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
    const first = await start(stage, board, under);
    await Promise.race([first.gone, first.says('over', OVER_MS)]);
    const wasKilled = await within(1, first.gone);
    const next = wasKilled ? await stage.start('next', dutiesOn(board, stage)) : first;
    const isOver = await next.says('over', OVER_MS);
    const hasEnded = await stage.end(OVER_MS);
    const violations = [...violationsOf(stage, { mayLoseResults: false })];
    if (!isOver || !hasEnded)
      violations.push({ column: 'stuck', what: 'it does not come to its end' });
    return { at, wasKilled, violations };
  } finally {
    await stage.clear();
  }
}

export interface FailingCallResult extends Omit<SystemCallResult, 'wasKilled'> {
  /** How often somebody began to decide. */
  readonly tenures: number;
}

/** The disk fails at the call, once, and the same process brings everything to its end. */
export async function runFailingCall(at: SystemCall): Promise<FailingCallResult> {
  const { board, call, number } = at;
  const stage = new Stage();
  try {
    const inject = `inject=${call}:error=EIO:when=${number}`;
    const under = [STRACE, '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
    const part = await start(stage, board, under);
    const isOver = await part.says('over', OVER_MS);
    const hasEnded = await stage.end(OVER_MS);
    const violations = [...violationsOf(stage, { mayLoseResults: false })];
    if (!isOver || !hasEnded)
      violations.push({ column: 'stuck', what: 'it does not come to its end' });
    return { at, tenures: tenuresOf(stage), violations };
  } finally {
    await stage.clear();
  }
}

async function start(stage: Stage, board: BoardName, under: readonly string[]) {
  stage.plan(smallPlan(board, stage.folder).text);
  return await stage.start('first', dutiesOn(board, stage), { under });
}

function dutiesOn(board: BoardName, { folder }: Stage): Duties {
  const { cancels } = smallPlan(board, folder);
  const operator = { runs: 1, cancels, isMoody: false };
  return { agents: ['agent/one', 'agent/two'], habits: STEADY, operator };
}
