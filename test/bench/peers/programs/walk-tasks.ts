import { readFileSync } from 'node:fs';
import { PARALLEL } from '../contender.ts';
import type { GraphTask } from '../task-graphs.ts';

/** Starts each task once all before it have ended, two at a time, and as little else as possible. */
export function walkTasks(file: string, start: (command: string, onEnd: () => void) => void): void {
  const tasks: readonly GraphTask[] = JSON.parse(readFileSync(file, 'utf8'));
  const waitsFor = new Map(tasks.map(({ name, after }) => [name, after.length]));
  const followers = new Map<string, GraphTask[]>(tasks.map(({ name }) => [name, []]));
  for (const task of tasks) for (const name of task.after) followers.get(name)?.push(task);
  const ready = tasks.filter(({ after }) => after.length === 0);
  let [next, running] = [0, 0];
  const fill = (): void => {
    while (running < PARALLEL && next < ready.length) {
      const task = ready[next]!;
      next += 1;
      running += 1;
      start(task.command, () => end(task));
    }
  };
  const end = ({ name }: GraphTask): void => {
    running -= 1;
    for (const follower of followers.get(name) ?? []) {
      const left = waitsFor.get(follower.name)! - 1;
      waitsFor.set(follower.name, left);
      if (left === 0) ready.push(follower);
    }
    fill();
  };
  fill();
}
