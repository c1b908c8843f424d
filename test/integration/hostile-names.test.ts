import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { CONFIG, taskText } from '../support/kanban-board.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A name that would print a line of its own, clear one, color the rest, and turn text around. */
const FORGED = 'x\nforged.yaml:1:1 error syntax Forged\u001B[2K\u001B[31m\u009B2K\u202E\r\u2028';
/** No plan has a line break in its own name; its folders may. */
const PLAN = `${FORGED.replaceAll(/[\n\r\u2028]/g, '')}.interlock.yaml`;
/** In a pattern a bracket is none. */
const PATTERN = FORGED.replaceAll('[', '');

/** A control character that ends no line. */
const RAW = /[^\P{C}\n]|[\u2028\u2029]/u;

/** Windows has no such names. */
const SYSTEMS = process.platform === 'win32' ? [] : ['here'];

/** A task whose every text is hostile. */
function task(id: string, rest: string): string {
  const texts = { title: FORGED, cwd: FORGED, writes: [`${PATTERN}/${id}`, `${PATTERN}/all`] };
  const lines = Object.entries(texts).map(
    ([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`,
  );
  return `  ${id}:\n${lines.join('')}    ${rest}\n`;
}

function put(root: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

/** Folder, plans, board, cards and hosts are named so. */
function hostileProject(): { readonly folder: string; readonly config: string } {
  const top = temporaryFolder();
  const [folder, config] = [path.join(top, FORGED), path.join(top, 'config')];
  put(folder, PLAN, `color: red\ntasks:\n${task('a', 'run: "true"')}${task('b', 'run: exit 3')}`);
  const others = `${task('c', 'depends_on: [gone]')}${task('d', 'rum: x')}`;
  put(folder, `2 ${PLAN}`, `tasks:\n${others}${task('a', 'on: no-such')}`);
  put(folder, `3 ${PLAN}`, `tasks:\n${task('e', 'prompt: x')}${task('f', 'prompt: x')}`);
  put(folder, `${FORGED}/in-it`, '');
  put(folder, `board ${FORGED}/config.yml`, CONFIG);
  put(folder, `board ${FORGED}/tasks/001-${FORGED}.md`, taskText(1, 'depends_on: [7]'));
  const hosts = { good: { ssh: 'h', folder: FORGED }, [FORGED]: { ssh: 'x' } };
  put(config, 'interlock/hosts.json', JSON.stringify(hosts));
  return { folder, config };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--json'],
  ['check', FORGED],
  ['graph'],
  ['graph', PLAN],
  ['graph', FORGED],
  ['graph', PLAN, '--around', FORGED],
  ['graph', PLAN, '--svg', `${FORGED}.svg`],
  ['graph', PLAN, '--svg', `none/${FORGED}.svg`],
  ['run', '--dry-run'],
  ['run', '--dry-run', 'a'],
  ['run', 'a'],
  ['run', 'c'],
  ['run', '--plan', PLAN],
  ['run', 'b', '--plan', PLAN, '--json'],
  ['run', 'a', '--plan', FORGED],
  ['run', 'a', '--plan', PLAN, '--on', FORGED],
  ['claim', 'e', '--as', 'me'],
  ['claim', 'f', '--as', 'you'],
  ['claim', 'a', '--as', 'you'],
  ['own', `${PATTERN}/owned`, '--as', 'me'],
  ['own', `${PATTERN}/owned`, '--as', 'you'],
  ['own', `${FORGED}/owned`, '--as', FORGED],
  ['status'],
  ['status', '--json'],
  ['ready'],
  ['ready', '--as', 'me'],
  ['why', 'b'],
  ['why', 'c'],
  ['why', 'd'],
  ['why', 'f'],
  ['why', FORGED],
  ['runs'],
  ['runs', '--json'],
  ['timeline'],
  ['timeline', FORGED],
  ['log'],
  ['log', 'e'],
  ['where'],
  ['where', '--json'],
  ['hosts'],
  ['hosts', '--json'],
  ['hosts', 'check', FORGED],
  ['export'],
  ['export', `${FORGED}.json`],
  ['doctor'],
  ['own', '--free', '--as', 'me'],
  ['status', '--board', `${FORGED} none`],
  [FORGED],
];

test.for(SYSTEMS)('no name forges a line or reaches the terminal raw', async () => {
  const { folder, config } = hostileProject();
  const env = { XDG_CONFIG_HOME: config };
  const waiting = startCli(['run', '--plan', `3 ${PLAN}`], folder, env);
  await waiting.says('f: waits for anybody');
  const printed = new Map<string, string>();
  for (const words of COMMANDS) {
    const { out, err } = await cli(words, folder, env);
    printed.set(words.join(' '), out + err);
  }
  printed.set('waiting', waiting.output());
  const wrong = [...printed].filter(([, text]) => RAW.test(text) || /^forged\.yaml/m.test(text));
  expect(wrong).toEqual([]);
});
