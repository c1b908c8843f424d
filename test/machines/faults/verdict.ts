import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LabHost } from '../../support/lab/lab-host.ts';
import { type Entry, isFinal, Ledger, logOf } from './ledger.ts';
import { type FaultTask, outputOf } from './setup.ts';
import type { Stage } from './stage.ts';

/** What faults have done to tasks; nothing, if all is well. */
export interface Verdict {
  readonly tasks: number;
  /** Those without an end that is final. */
  readonly lost: number;
  /** How much of what the tasks have printed is not what is kept of it. */
  readonly bytesLost: number;
  /** Ends beyond the first, and attempts that began twice or while another of the task was at it. */
  readonly duplicates: readonly string[];
  /** Files, sessions and processes on the hosts. */
  readonly leftBehind: readonly string[];
}

/** How long what was told to go may take for it. */
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** Ends the coordinator as soon as nothing of its tasks is left on the hosts, and looks what has become. */
export async function judge(stage: Stage): Promise<Verdict> {
  const { lab, setup } = stage;
  const leftOfTasks = await settle(() => lab.hosts.flatMap((host) => tasksOn(host, setup.board)));
  await stage.end();
  const leftOfUs = await settle(() => lab.hosts.flatMap((host) => runningOn(host)));
  const entries = new Ledger(setup.folder).read();
  const duplicates: string[] = [];
  let [lost, bytesLost] = [0, 0];
  for (const task of setup.tasks) {
    const finals = entries.filter((entry) => entry.task === task.id && isFinal(entry));
    const [final] = finals;
    if (final?.end?.kind === 'succeeded') bytesLost += wrongBytes(stage, final, task);
    else lost += 1;
    duplicates.push(...finals.slice(1).map(({ term }) => `${task.id}: final again by ${term}`));
    duplicates.push(...doneTwice(lab.host(task.host), task.id, final));
  }
  return {
    tasks: setup.tasks.length,
    lost,
    bytesLost,
    duplicates,
    leftBehind: [...leftOfTasks, ...leftOfUs],
  };
}

/** What is left when nothing is, or nothing more goes. */
async function settle(look: () => readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = look();
    if (left.length === 0 || performance.now() > until) return left;
    await delay(LOOK_AGAIN_MS);
  }
}

function tasksOn(host: LabHost, board: string): readonly string[] {
  const folder = path.join(host.home, '.local', 'state', 'interlock', 'machine', board, 't');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const marked = host
    .commands()
    .filter(({ environment }) => environment.some((each) => each.startsWith('INTERLOCK_MARK=')));
  return [
    ...files.map((file) => `${host.name}: t/${file}`),
    ...marked.map(({ words }) => `${host.name}: ${words}`),
  ];
}

function runningOn(host: LabHost): readonly string[] {
  return host.commands().map(({ words }) => `${host.name}: ${words}`);
}

/** From the first byte that is another. */
function wrongBytes({ setup }: Stage, { term }: Entry, task: FaultTask): number {
  // A terminal ends its lines in its own way.
  const expected = outputOf(task).replaceAll('\n', task.isInSession === true ? '\r\n' : '\n');
  const file = logOf(setup.folder, term);
  const found = existsSync(file) ? readFileSync(file, 'latin1') : '';
  let same = 0;
  while (same < expected.length && found[same] === expected[same]) same += 1;
  return Math.max(expected.length, found.length) - same;
}

/** Of what the attempts have said on the host themselves. */
function doneTwice(host: LabHost, task: string, final: Entry | undefined): readonly string[] {
  const file = path.join(host.home, `effects-${task}`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const isWrong = (line: string, at: number): boolean =>
    lines.indexOf(line) < at ||
    line.startsWith('overlap') ||
    (line.startsWith('end') && line !== `end ${final?.term}`);
  return lines.filter(isWrong).map((line) => `${task}: ${line} of ${lines.join(', ')}`);
}
