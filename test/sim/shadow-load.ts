import type { LoadMode } from '../../server/domain/failure/load.ts';
import type { Priority } from '../../server/domain/priority.ts';
import type { ShadowFacts, ShadowTask } from './shadow-task.ts';

const MODES: readonly LoadMode[] = ['normal', 'moderate', 'high', 'critical'];
const ENTERS = { queue: [0.5, 0.8, 0.95], memory: [0.8, 0.9, 0.97], cpu: [0.9, 0.97, 0.995] };
const HOLDS = { queue: [0.4, 0.7, 0.85], memory: [0.75, 0.85, 0.92], cpu: [0.85, 0.92, 0.945] };

/** The mode that the load and the last mode give. */
export function modeOf(facts: ShadowFacts, now: number): LoadMode {
  const { load, mode } = facts;
  const queued = readyTasks(facts, now).length;
  const shares = { queue: queued / load.queueLimit, memory: load.memory, cpu: load.cpu };
  const reached = (steps: typeof ENTERS): number =>
    Math.max(
      steps.queue.filter((least) => shares.queue >= least).length,
      steps.memory.filter((least) => shares.memory >= least).length,
      steps.cpu.filter((least) => shares.cpu >= least).length,
    );
  const held = Math.min(MODES.indexOf(mode), reached(HOLDS));
  return MODES[Math.max(reached(ENTERS), held)] ?? 'normal';
}

/** Whether tasks of this class start in this mode. */
export function isServed(mode: LoadMode, priority: Priority): boolean {
  if (mode === 'critical') return priority === 'critical';
  return mode !== 'high' || priority !== 'low';
}

/** Tasks that wait for nothing but a place. */
export function readyTasks(facts: ShadowFacts, now: number): ShadowTask[] {
  const ready: ShadowTask[] = [];
  for (const run of facts.runs.values())
    for (const task of run.tasks.values())
      if (task.state === 'pending' && task.isFree && !task.isPaused && task.notBefore <= now)
        ready.push(task);
  return ready;
}
