import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const FILES = {
  'interlock.yaml': 'tasks:\n  a¦pi: { run: "true" }\n  b: { run: x, after: [api] }\n',
  'web/interlock.yaml': 'tasks:\n  c: { run: x, after: [interlock/api] }\n',
};
const EVERYTHING = {
  textDocument: { rename: { prepareSupport: true } },
  workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
};

test('a client that declares nothing gets changes by address', async () => {
  const folder = await OpenFolder.open(FILES);
  expect(folder.offered.renameProvider).toBe(true);
  expect(await folder.ask('rename', { newName: 'new' })).toEqual({
    changes: {
      'interlock.yaml': [
        { range: '1:2-1:5', newText: 'new' },
        { range: '2:23-2:26', newText: 'new' },
      ],
      'web/interlock.yaml': [{ range: '1:33-1:36', newText: 'new' }],
    },
  });
});

test('others get changes of the versions that they have', async () => {
  const folder = await OpenFolder.open(FILES, EVERYTHING);
  expect(folder.offered.renameProvider).toEqual({ prepareProvider: true });
  await folder.client.open(folder.uri(), FILES['interlock.yaml'].replace('¦', ''), 7);
  expect(await folder.ask('prepareRename')).toEqual({ range: '1:2-1:5', placeholder: 'api' });
  expect(await folder.ask('rename', { newName: 'new' })).toEqual({
    documentChanges: [
      {
        textDocument: { uri: 'interlock.yaml', version: 7 },
        edits: [
          { range: '1:2-1:5', newText: 'new' },
          { range: '2:23-2:26', newText: 'new' },
        ],
      },
      {
        textDocument: { uri: 'web/interlock.yaml', version: null },
        edits: [{ range: '1:33-1:36', newText: 'new' }],
      },
    ],
  });
});

test('what cannot be is refused with a sentence', async () => {
  const folder = await OpenFolder.open(FILES, EVERYTHING);
  await expect(folder.ask('rename', { newName: 'B' })).rejects.toThrow(
    'There is a task "b" in this plan already; ids differ in more than case.',
  );
  const elsewhere = await OpenFolder.open({ 'interlock.yaml': 'na¦me: x\n' }, EVERYTHING);
  await expect(elsewhere.ask('prepareRename')).rejects.toThrow(
    'Only the ids of tasks can be renamed here.',
  );
});

test('while a task runs, its renaming says what becomes of it, and waits for a yes', async () => {
  const files = { 'interlock.yaml': 'tasks:\n  a¦pi: { run: sleep 60 }\n' };
  const folder = await OpenFolder.open(files, EVERYTHING);
  await folder.client.run(folder.path);
  await folder.client.until(() => folder.client.states === 'api running');
  expect(await folder.ask('rename', { newName: 'new' })).toEqual({
    documentChanges: [
      {
        textDocument: { uri: 'interlock.yaml', version: null },
        edits: [{ range: '1:2-1:5', newText: 'new', annotationId: 'running' }],
      },
    ],
    changeAnnotations: {
      running: {
        label: 'Rename "api" while it runs',
        description: 'The run goes on under the id "api". What is renamed has not run yet.',
        needsConfirmation: true,
      },
    },
  });
});
