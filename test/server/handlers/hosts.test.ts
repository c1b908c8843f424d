import { expect, test } from 'vitest';
import { SETTINGS_CHANGED } from '../../../protocol/initialization.ts';
import { EditedProject } from '../../support/editor-files.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const HOSTS = { 'build-1': { ssh: 'kim@build.example', slots: 4, capabilities: ['gpu'] } };

async function openAt(plan: string): Promise<OpenFolder> {
  const options = { isTrusted: true, hosts: HOSTS };
  return await OpenFolder.open({ 'interlock.yaml': plan }, {}, options);
}

test('a plan that names a host which the user has not says so, until they have', async () => {
  const plan = 'tasks:\n  a: { run: "true", on: build-2 }\n';
  const project = new EditedProject(plan);
  const kim = await project.window('kim', { options: { hosts: HOSTS } });
  await kim.client.until(() => kim.messages('interlock.yaml').length > 0);
  expect([kim.marks('interlock.yaml'), ...kim.messages('interlock.yaml')]).toEqual([
    'warning 1-1',
    '"build-2" is not among your hosts (build-1): name it in the setting interlock.hosts. Did you mean "build-1"?',
  ]);
  const hosts = { ...HOSTS, 'build-2': {} };
  await kim.client.connection.sendNotification(SETTINGS_CHANGED, { hosts });
  await kim.untilMarks('interlock.yaml', '');
  await kim.client.connection.sendNotification(SETTINGS_CHANGED, { hosts: HOSTS });
  await kim.untilMarks('interlock.yaml', 'warning 1-1');
});

test('a card of a kanban board says it at its own place', async () => {
  const project = new EditedProject('tasks:\n  a: { run: x }\n', {
    'board/config.yml':
      'version: 11\nboard: { name: x }\ntasks_dir: tasks\nstatuses: [todo, done]\npriorities: [low, high]\ndefaults: { status: todo, priority: low }\n',
    'board/tasks/001-b.md': '---\nid: 1\ntitle: b\nstatus: todo\npriority: low\non: far\n---\n',
  });
  const kim = await project.window('kim', { options: { hosts: HOSTS } });
  await kim.untilMarks('board/tasks/001-b.md', 'warning 5-5');
  expect(kim.messages('board/tasks/001-b.md')).toEqual([expect.stringContaining('"far" is')]);
});

test('a host of the user says what it is', async () => {
  const folder = await openAt('tasks:\n  a: { run: x, on: [local, ¦build-1] }\n');
  expect(await folder.ask('hover')).toMatchObject({
    contents: { value: expect.stringMatching(/build-1 is one of your hosts[\s\S]*ssh kim@build/) },
  });
});

test('and another one says that it is none', async () => {
  const folder = await openAt('tasks:\n  a: { run: x, on: ¦other }\n');
  expect(await folder.ask('hover')).toMatchObject({
    contents: { value: expect.stringMatching(/"other" is not among your hosts \(build-1\)/) },
  });
});

test('the hosts of the user are offered', async () => {
  const folder = await openAt('tasks:\n  a: { run: x, on: ¦ }\n');
  expect(await folder.ask('completion')).toMatchObject([{ label: 'local' }, { label: 'build-1' }]);
});
