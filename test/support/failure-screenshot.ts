import { afterEach } from 'vitest';
import type { Workbench } from './workbench.ts';

/** Leaves a picture of what the user would have seen when a test of this file fails. */
export function pictureFailures(current: () => Workbench): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await current().screenshot(`failed-${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}`);
  });
}
