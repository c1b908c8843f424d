import { afterAll, beforeAll, expect, test } from 'vitest';
import * as vscode from 'vscode';
import { Heard } from './support/heard.ts';
import { workspaceFile } from './support/plan-editor.ts';

const extension = vscode.extensions.getExtension('interlock.interlock');
const { contributes } = extension?.packageJSON ?? {};
const COMMANDS: readonly string[] = contributes.commands.map(
  ({ command }: { readonly command: string }) => command,
);
/** Those that a row or a picture calls for something. */
const CALLED: ReadonlySet<string> = new Set(
  ['view/item/context', 'webview/context'].flatMap((menu) =>
    contributes.menus[menu].map(({ command }: { readonly command: string }) => command),
  ),
);

const GONE = { folderUri: 'file:///gone', plan: 'interlock.yaml', id: 'gone' };
/** What a program, a keybinding or a row that has gone since may pass. */
const GARBAGE: readonly unknown[] = [
  5,
  'x',
  {},
  [],
  { id: 5 },
  { key: 5 },
  { kind: 'task', key: 'gone', id: 'gone' },
  GONE,
  { folderUri: 5, plan: null, id: {}, run: [] },
];
const NOTHING: readonly unknown[] = [undefined, null];

/** Two of them: what is called for nothing asks for which. */
const PLANS = ['first.interlock.yaml', 'second.interlock.yaml'];
const PLAN = `tasks:
  broken: { run: exit 1 }
  long: { run: "while [ ! -e go ]; do sleep 0.02; done", after: [broken] }
  later: { run: 'true', depends_on: [long] }
  own: { role: human }
`;

let heard: Heard;

beforeAll(async () => {
  await extension?.activate();
  await remove('go');
  for (const plan of PLANS)
    await vscode.workspace.fs.writeFile(workspaceFile(plan), new TextEncoder().encode(PLAN));
  await until((tasks) => PLANS.every((plan) => stateOf(tasks, plan, 'long') !== undefined));
  heard = new Heard();
  for (const plan of PLANS) {
    const rows = await rowsOf(plan);
    await call('interlock.task.runThis', rows[0], rows);
    await until((tasks) => stateOf(tasks, plan, 'long') === 'running');
    await call('interlock.task.claim', rows.at(-1));
    await until((tasks) => stateOf(tasks, plan, 'own') === 'running');
  }
  heard.take();
});

afterAll(async () => {
  await vscode.workspace.fs.writeFile(workspaceFile('go'), new Uint8Array());
  for (const plan of PLANS) await call('interlock.task.complete', (await rowsOf(plan)).at(-1));
  heard[Symbol.dispose]();
  await until((tasks) => tasks.every(({ state }) => !/running|claimed|waiting|ready/.test(state)));
  for (const name of [...PLANS, 'go']) await remove(name);
  await until((tasks) => tasks.every(({ plan }) => !PLANS.includes(plan)));
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
});

test('there are commands that are called for something, and others', () => {
  expect(CALLED.size).toBeGreaterThan(15);
  expect(COMMANDS.length - CALLED.size).toBeGreaterThan(15);
});

for (const command of CALLED)
  test(`${command} says a sentence when it is called for what is not there, and does nothing else`, async () => {
    const before = await status();
    for (const garbage of GARBAGE) {
      await call(command, garbage);
      expect([garbage, heard.take()]).toEqual([
        garbage,
        ['Nothing was done: what this was meant for is not there, or not any more.'],
      ]);
      await call(command, garbage, [garbage, garbage]);
      expect(heard.take()).toHaveLength(1);
    }
    expect([heard.errors, heard.lost]).toEqual([[], []]);
    expect(await status()).toEqual(before);
  });

for (const command of CALLED)
  test(`${command} asks for which when it is called for nothing, and does nothing else`, async () => {
    const before = await status();
    for (const nothing of NOTHING) {
      await call(command, nothing);
      expect([nothing, heard.take()]).toEqual([nothing, [expect.stringMatching(/.+[.?]/)]]);
    }
    expect([heard.errors, heard.lost]).toEqual([[], []]);
    expect(await status()).toEqual(before);
  });

for (const command of ['interlock.run.showTimeline', 'interlock.plan.showGraph'])
  test(`${command} asks for which when the row of several things has the focus`, async () => {
    for (const id of ['attention', 'state\ncompleted']) {
      await call(command, { kind: 'group', id, parent: undefined });
      expect(heard.take()).toEqual([expect.stringMatching(/\?|^Select /)]);
    }
    expect([heard.errors, heard.lost]).toEqual([[], []]);
  });

/** Where it is nobody's question what these do, it is no answer what they are given. */
const OTHERS = COMMANDS.filter((command) => !CALLED.has(command));
for (const command of OTHERS.toSorted((a, b) => rank(a) - rank(b)))
  test(`${command} fails at nothing that it is given`, async () => {
    for (const garbage of [undefined, 5, GONE]) await call(command, garbage);
    heard.take();
    expect([heard.errors, heard.lost]).toEqual([[], []]);
  });

/** What ends everything comes last. */
function rank(command: string): number {
  return ['interlock.tasks.stop', 'interlock.server.restart'].indexOf(command);
}

async function call(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

interface Task {
  readonly plan: string;
  readonly id: string;
  readonly state: string;
}

async function status(): Promise<readonly Task[]> {
  const options = { input: {}, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool('interlock_get_status', options);
  const [part] = content;
  const { tasks }: { readonly tasks: readonly (Task & { readonly state: string })[] } = JSON.parse(
    part instanceof vscode.LanguageModelTextPart ? part.value : '',
  );
  // How it is, and not for how long.
  return tasks.map(({ plan, id, state }) => ({ plan, id, state: state.split(/[ ,]/)[0] ?? '' }));
}

async function until(isSo: (tasks: readonly Task[]) => boolean): Promise<void> {
  while (!isSo(await status())) continue;
}

function stateOf(tasks: readonly Task[], plan: string, id: string): string | undefined {
  return tasks.find((task) => task.plan === plan && task.id === id)?.state;
}

/** What the rows of a plan's tasks pass, as the names of their tasks. */
async function rowsOf(plan: string): Promise<readonly object[]> {
  const folderUri = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  const tasks = await status();
  return tasks.filter((task) => task.plan === plan).map(({ id }) => ({ folderUri, plan, id }));
}

async function remove(name: string): Promise<void> {
  await vscode.workspace.fs.delete(workspaceFile(name)).then(undefined, () => {});
}
