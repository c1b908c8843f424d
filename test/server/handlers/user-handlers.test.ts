import { expect, test } from 'vitest';
import { SETTINGS_CHANGED } from '../../../protocol/initialization.ts';
import { HostBook } from '../../../server/system/host-book.ts';
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

test('the hosts of the user are told at the start, and whenever they change', async () => {
  const project = new EditedProject(PLAN);
  const book = hostBookOf(project);
  const kim = await project.window('kim', {
    change: { hosts: book },
    options: { hosts: { 'build-1': {}, 'build-2': { slots: 0 } } },
  });
  const { client } = kim;
  const problem =
    'In the setting "interlock.hosts", "build-2": "slots" is a number of tasks from 1 to 1024.';
  await client.until(() => client.errors.length > 0);
  expect([client.errors, namesIn(book)]).toEqual([[problem], ['build-1']]);
  const hosts = { 'build-1': {}, 'build-2': { slots: 0 }, 'build-3': { sync: 'ftp' } };
  await client.connection.sendNotification(SETTINGS_CHANGED, { hosts });
  await client.until(() => client.errors.length > 1);
  expect(client.errors).toEqual([problem, expect.stringContaining('"build-3": "sync" is one of')]);
  await client.connection.sendNotification(SETTINGS_CHANGED, { userName: 'robin' });
  const changed = Promise.withResolvers<void>();
  using _ = book.onChanged(changed.resolve);
  await client.connection.sendNotification(SETTINGS_CHANGED, { hosts: { 'build-4': {} } });
  await changed.promise;
  expect(namesIn(book)).toEqual(['build-4']);
});

function hostBookOf({ folder }: EditedProject): HostBook {
  return new HostBook({ config: `${folder}/.config`, state: `${folder}/.state` });
}

function namesIn({ hosts }: HostBook): readonly string[] {
  return hosts.map(({ name }) => name);
}
