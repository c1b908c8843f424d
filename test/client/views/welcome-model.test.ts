import { expect, test } from 'vitest';
import type { PlansRead } from '../../../protocol/starter-plan.ts';
import { emptyBecause, type WhatIsThere } from '../../../client/views/welcome-model.ts';

function folder(...errors: readonly boolean[]): PlansRead {
  const plans = errors.map((hasErrors, index) => ({ uri: '', path: `${index}`, hasErrors }));
  return { folderUri: 'file:///a', plans };
}

const BARE: WhatIsThere = {
  server: 'running',
  taskCount: 0,
  folderCount: 1,
  read: [folder()],
};

function check(name: string, there: Partial<WhatIsThere>, expected: string | undefined): void {
  test(name, () => expect(emptyBecause({ ...BARE, ...there })).toBe(expected));
}

check('a folder without a plan says so', {}, 'noPlan');
check('so do several', { folderCount: 2, read: [folder(), folder()] }, 'noPlan');
check('a plan without a task is said', { read: [folder(false)] }, 'noTasks');
check('one with errors comes first', { read: [folder(false, true)] }, 'wrongPlan');
check('where tasks are shown there is nothing to say', { taskCount: 1 }, undefined);
check('without a folder the editor itself knows', { folderCount: 0, read: [] }, undefined);
check('while plans are read, nobody says that there are none', { read: [] }, undefined);
check('nor while the server starts', { server: 'starting' }, undefined);
check('a server that has ended is said', { server: 'stopped', read: [] }, 'stopped');
