import { expect, test } from 'vitest';
import { SETTINGS_CHANGED } from '../../../protocol/initialization.ts';
import { EditedProject } from '../../support/editor-files.ts';

const PLAN = 'tasks:\n  api: { run: "true", writes: [src/**] }\n';
const USERS = 'one\ntwo\nthree';

test('whoever changes their name has their unsaved changes under the new one', async () => {
  const project = new EditedProject(PLAN, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  const said = (): string => ann.messages('src/users.ts').join(' ');
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.client.until(() => said().startsWith('kim is editing this file'));
  await kim.client.connection.sendNotification(SETTINGS_CHANGED, { userName: 7 });
  await kim.client.connection.sendNotification(SETTINGS_CHANGED, { userName: 'robin' });
  await ann.client.until(() => said().startsWith('robin is editing this file'));
  expect(ann.marks('src/users.ts')).toBe('hint 0-0');
  expect(kim.marks('src/users.ts')).toBe('');
});
