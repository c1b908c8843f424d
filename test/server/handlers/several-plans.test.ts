import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Two plans, of which `page` of one waits for `schema` of the other. */
class Shop {
  readonly folder = temporaryFolder();
  readonly client: LanguageClient;

  constructor(schema: string) {
    const write = (file: string, tasks: string): void =>
      writeFileSync(path.join(this.folder, file), `tasks:\n${tasks}`);
    write('data.interlock.yaml', `  schema: { run: '${schema}' }\n  rest: { run: x }\n`);
    write(
      'web.interlock.yaml',
      "  page: { run: 'cat schema > page', depends_on: [data/schema] }\n  other: { run: x }\n",
    );
    const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(this.folder, '.state') };
    this.client = clientInMemory(realWorld('a test', env));
  }

  uri(file: string): string {
    return pathToFileURL(path.join(this.folder, file)).href;
  }
}

test('a task that is run brings along what it needs of another plan, and waits for it', async () => {
  const { client, folder } = new Shop('sleep 0.05; echo one > schema');
  await client.start(folder);
  await client.until(() => client.view('page')?.state === 'idle');
  expect(await client.run(folder, ['page'])).toMatchObject({ kind: 'accepted', refusedPlans: [] });
  await client.until(() => client.finishedRuns.length === 2);
  expect(client.states).toBe('schema completed, rest idle, page completed, other idle');
});

test('where that fails it is skipped, and said why', async () => {
  const { client, folder } = new Shop('exit 3');
  await client.start(folder);
  await client.until(() => client.view('page')?.state === 'idle');
  await client.run(folder, ['page']);
  await client.until(() => client.finishedRuns.length === 2);
  expect(client.view('page')).toMatchObject({
    state: 'skipped',
    detail: 'because data/schema did not complete',
  });
});

test('an edit of one plan marks what waits for it in the other one', async () => {
  const shop = new Shop('x');
  const { client } = shop;
  await client.start(shop.folder);
  await client.until(() => client.view('page')?.state === 'idle');
  const uri = shop.uri('data.interlock.yaml');
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: {
      uri,
      languageId: 'interlock',
      version: 1,
      text: 'tasks:\n  shema: { run: x }\n',
    },
  });
  const web = shop.uri('web.interlock.yaml');
  await client.until(() => client.diagnostics.get(web)?.length === 1);
  expect(client.diagnostics.get(web)?.[0]).toMatchObject({
    code: 'unknown-task',
    message:
      'There is no task "schema" in plan "data" (data.interlock.yaml). Did you mean "data/shema"?',
    range: { start: { line: 1, character: 49 }, end: { line: 1, character: 60 } },
  });
});
