import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const UNTIL_GO = 'until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';
const PLAN = `tasks:\n  gen: { run: "${UNTIL_GO}", writes: [out, go] }\n`;
const CLIENT = {
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
  },
};

/** The task runs, and a person changes README.md with another program. */
class Scene {
  readonly folder = temporaryFolder();
  readonly #home = temporaryFolder();

  constructor() {
    this.write('interlock.yaml', PLAN);
    this.write('README.md', 'before\n');
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.folder, file), text);
  }

  uri(file: string): string {
    return pathToFileURL(path.join(this.folder, file)).href;
  }

  async window(): Promise<LanguageClient> {
    const env = { XDG_STATE_HOME: this.#home, XDG_CONFIG_HOME: this.#home };
    const client = clientInMemory(realWorld('test', env));
    await client.start(this.folder, { capabilities: CLIENT });
    return client;
  }

  async changed(): Promise<LanguageClient> {
    const client = await this.window();
    await client.run(this.folder, ['gen']);
    await client.until(() => client.view('gen')?.state === 'running');
    this.write('README.md', 'by another editor\n');
    await client.until(() => this.problems(client, 'README.md').length > 0);
    return client;
  }

  problems(client: LanguageClient, file: string): readonly Diagnostic[] {
    const all = client.diagnostics.get(this.uri(file)) ?? [];
    return all.filter(({ code }) => code === 'undeclared-write');
  }

  async fixes(client: LanguageClient, file: string): Promise<readonly CodeAction[]> {
    const diagnostics = this.problems(client, file);
    const range = diagnostics[0]!.range;
    const textDocument = { uri: this.uri(file) };
    const asked = { textDocument, range, context: { diagnostics } };
    return await client.connection.sendRequest('textDocument/codeAction', asked);
  }
}

test('a file that changed while a task ran is a warning with three ways to answer it', async () => {
  const scene = new Scene();
  const client = await scene.changed();
  await client.until(() => scene.problems(client, 'interlock.yaml').length > 0);
  expect(scene.problems(client, 'interlock.yaml')).toMatchObject([
    {
      severity: 2,
      message: expect.stringMatching(/^README\.md changed while "gen" was running\./),
    },
  ]);
  const titles = async (file: string): Promise<readonly string[]> =>
    (await scene.fixes(client, file)).map(({ title }) => title).toSorted();
  const offered = ['Add "README.md" to the writes of "gen"', 'Ignore this path', 'It was me'];
  expect(await titles('interlock.yaml')).toEqual(offered);
  expect(await titles('README.md')).toEqual(offered);
  scene.write('go', '');
  await client.until(() => client.view('gen')?.state === 'completed');
});

test('"It was me" takes the problem away for good, in every window', async () => {
  const scene = new Scene();
  const client = await scene.changed();
  const fixes = await scene.fixes(client, 'README.md');
  const mine = fixes.find(({ title }) => title === 'It was me')?.command;
  await client.connection.sendRequest('workspace/executeCommand', mine!);
  const isQuiet = (of: LanguageClient): boolean =>
    ['README.md', 'interlock.yaml'].every((file) => scene.problems(of, file).length === 0);
  await client.until(() => isQuiet(client));
  scene.write('go', '');
  await client.until(() => client.view('gen')?.state === 'completed');
  const other = await scene.window();
  await other.until(() => other.view('gen')?.state === 'completed');
  expect(isQuiet(other)).toBe(true);
});

test('"It was me" is said of all tasks that may have made the change', async () => {
  const scene = new Scene();
  const other = `  pack: { run: "${UNTIL_GO}", writes: [pack] }\n`;
  scene.write('interlock.yaml', `${PLAN}${other}`);
  const client = await scene.window();
  await client.run(scene.folder, ['gen', 'pack']);
  await client.until(() => client.states === 'gen running, pack running');
  scene.write('README.md', 'by another editor\n');
  const named = (): readonly Diagnostic[] => scene.problems(client, 'interlock.yaml');
  await client.until(() => named().length === 2);
  expect(named()[0]?.message).toContain('"gen", "pack"');
  await client.until(() => scene.problems(client, 'README.md').length > 0);
  const fixes = await scene.fixes(client, 'README.md');
  const mine = fixes.find(({ title }) => title === 'It was me')?.command;
  await client.connection.sendRequest('workspace/executeCommand', mine!);
  await client.until(() => named().length + scene.problems(client, 'README.md').length === 0);
  scene.write('go', '');
  await client.until(() => client.states === 'gen completed, pack completed');
});

test('the problem goes with the file', async () => {
  const scene = new Scene();
  const client = await scene.changed();
  rmSync(path.join(scene.folder, 'README.md'));
  await client.until(() => scene.problems(client, 'interlock.yaml').length === 0);
  scene.write('go', '');
  await client.until(() => client.view('gen')?.state === 'completed');
});
