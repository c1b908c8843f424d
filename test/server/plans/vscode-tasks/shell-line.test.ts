import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Surroundings } from '../../../../server/plans/vscode-tasks/surroundings.ts';
import { readTask, readTasks } from '../../../support/editor-tasks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Expected {
  readonly line: string;
  readonly where: Partial<Surroundings>;
}

/** The line that is given to the shell. */
function check(name: string, keys: string, expected: string | Expected): void {
  test(name, () => {
    const { line, where } = typeof expected === 'string' ? { line: expected, where: {} } : expected;
    const { command } = readTask(`"type": "shell", ${keys}`, where);
    expect(command).toEqual({ kind: 'shell', script: line });
  });
}

check('a command alone is a line as it is', `"command": "a 'b c' | d"`, `a 'b c' | d`);
check(
  'arguments follow, with a space between',
  '"command": "a", "args": ["b", "$c", "*"]',
  'a b $c *',
);
check('a space is quoted', '"command": "a", "args": ["b c"]', "a 'b c'");
check(
  'a command with a space is quoted when it has arguments',
  '"command": "a b", "args": ["c"]',
  "'a b' c",
);
check(
  'what is quoted already is left',
  `"command": "a", "args": ["'b c'", "\\"d e\\""]`,
  `a 'b c' "d e"`,
);
check('what is quoted in the middle is left', `"command": "a", "args": ["x='b c'"]`, `a x='b c'`);
check('a space outside of the quotes counts', `"command": "a", "args": ["x='b' c"]`, `a 'x='b' c'`);
check(
  'strong, weak and escaped are as they are asked for',
  `"command": "a", "args": [
    { "value": "b c", "quoting": "strong" }, { "value": "$d e", "quoting": "weak" }, { "value": "f 'g'", "quoting": "escape" }
  ]`,
  String.raw`a 'b c' "$d e" f\ \'g\'`,
);
check(
  'a way of quoting that nobody knows is strong',
  '"command": "a", "args": [{ "value": "b" }]',
  "a 'b'",
);
check(
  'a quoted command is quoted without arguments, too',
  `"command": { "value": "a b", "quoting": "weak" }`,
  '"a b"',
);
check(
  'a value may be a list',
  '"command": "a", "args": [{ "value": ["b", "c"], "quoting": "weak" }]',
  'a "b c"',
);
check(
  'a shell may have its own quotes',
  `"command": "a", "args": ["b c", { "value": "d e", "quoting": "escape" }],
   "options": { "shell": { "quoting": { "strong": "|", "weak": "~", "escape": "^" } } }`,
  'a |b c| d^ e',
);
check('cmd of Windows has one kind of quotes', '"command": "a", "args": ["b c"]', {
  line: 'a "b c"',
  where: { platform: 'windows' },
});

function lineOf(shell: string): unknown {
  const options = JSON.stringify({ shell: { executable: `C:\\x\\${shell}`, args: [] } });
  const keys = `"type": "shell", "command": "a", "args": ["b c"], "options": ${options}`;
  const { command } = readTask(keys, { platform: 'windows' });
  return command?.kind === 'program' ? command.args[0] : undefined;
}

test('other shells of Windows have theirs', () => {
  expect(lineOf('pwsh.exe')).toBe("a 'b c'");
  expect(lineOf('bash.exe')).toBe("a 'b c'");
  expect(lineOf('CMD.EXE')).toBe('a "b c"');
});

const SPACED = { workspaceFolder: '/u/me/my shop' };

check('a folder with a space is quoted', '"command": "${workspaceFolder}/a"', {
  line: "'/u/me/my shop/a'",
  where: SPACED,
});
check('also as an argument', '"command": "a", "args": ["${workspaceFolder}/b"]', {
  line: "a '/u/me/my shop/b'",
  where: SPACED,
});
check(
  'and it may stand in quotes',
  `"command": "cat \\"\${workspaceFolder}/b\\" '\${workspaceFolder}'"`,
  { line: `cat "/u/me/my shop/b" '/u/me/my shop'`, where: SPACED },
);

const UNSAFE = `What "\${workspaceFolder}" stands for here has characters that a shell would not take as they are. Put it into quotes if they are spaces, or use the type "process".`;

test('a folder with a space is not split into words', () => {
  const text =
    '{ "tasks": [{ "label": "a", "type": "shell", "command": "rm -r ${workspaceFolder}/b" }] }';
  const { problems, obstacles } = readTasks(text, SPACED);
  expect(problems).toMatchObject([{ code: 'invalid-path', message: UNSAFE }]);
  expect([...obstacles.values()]).toEqual([UNSAFE]);
  expect(text.slice(problems[0]?.range.start, problems[0]?.range.end)).toBe('${workspaceFolder}');
});

test('the name of a folder runs nothing, wherever it stands', () => {
  const lines = ['cat ${workspaceFolder}', 'cat "${workspaceFolder}"', "cat '${workspaceFolder}'"];
  const chars = Array.from(' \t\n;&|<>()$`"\'\\*?[]#~!{}^');
  const evil = fc.array(fc.constantFrom(...chars, 'touch', 'hit', '-', 'a', 'b'), { maxLength: 6 });
  let count = 0;
  fc.assert(
    fc.property(evil, fc.constantFrom(...lines), fc.boolean(), (parts, line, isArgument) => {
      const keys = isArgument
        ? `"command": "true", "args": [${JSON.stringify(line)}]`
        : `"command": ${JSON.stringify(line)}`;
      const surroundings = { workspaceFolder: `/x/${parts.join('')}` };
      const text = `{ "tasks": [{ "label": "a", "type": "shell", ${keys} }] }`;
      const { tasks, obstacles } = readTasks(text, surroundings);
      const command = tasks[0]?.command;
      if (obstacles.size > 0 || command?.kind !== 'shell') return;
      count += 1;
      // All that is left of the name is letters and, within quotes, spaces.
      expect(parts.join('')).toMatch(/^[a-z -]*$/);
      expect(command.script).not.toMatch(/[;&|<>()$`*?#~!{}^\\\n]/);
    }),
    { numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(50);
});

test('a shell gets the words that were meant', () => {
  const folder = path.join(temporaryFolder(), 'a shop');
  mkdirSync(folder);
  const keys = `"type": "shell", "command": "printf", "args": [
    "'%s|'", "b c", "\${workspaceFolder}/x", { "value": "$HOME", "quoting": "strong" }, { "value": "e  'f'", "quoting": "escape" }
  ]`;
  const { command } = readTask(keys, { workspaceFolder: folder });
  const script = command?.kind === 'shell' ? command.script : '';
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(out).toBe(`b c|${folder}/x|$HOME|e  'f'|`);
});

for (const type of ['shell', 'process'])
  test(`a ${type} needs a command that is one`, () => {
    const text = `{ "tasks": [{ "label": "a", "type": "${type}", "command": "" }] }`;
    expect(readTasks(text).obstacles.size).toBe(1);
  });
