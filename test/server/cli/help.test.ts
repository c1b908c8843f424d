import { expect, test } from 'vitest';
import { SHARED_OPTIONS } from '../../../server/cli/command-definition.ts';
import { COMMANDS } from '../../../server/cli/commands.ts';
import { helpOf } from '../../../server/cli/help.ts';
import { readWords, splitCommand } from '../../../server/cli/read-words.ts';
import { typeLine } from '../../support/typed-line.ts';

const commands = [...COMMANDS];

test('the usage of a command names its options, all of them and no other', () => {
  for (const [, { usage, options = {} }] of commands) {
    const named = new Set(usage.match(/(?<= |\[)--?[a-z-]+/g));
    const known = Object.entries(options).map(([name, { short }]) => {
      const letter = `-${short}`;
      return named.has(letter) ? letter : `--${name}`;
    });
    expect(named).toEqual(new Set(known));
  }
});

const examples = commands.flatMap(([name, { examples: lines, ...command }]) =>
  lines.map((line) => ({ name, line, command })),
);

test.each(examples)('"$line" can be typed', ({ name, line, command }) => {
  const words = line
    .replace(/ >> .*/, '')
    .replace(/".*"/, 'TEXT')
    .split(' ');
  const { name: typed, rest } = splitCommand(words);
  const read = readWords(rest, { ...command.options, ...SHARED_OPTIONS });
  expect([typed, read]).toMatchObject([name, { kind: 'read' }]);
});

test('the help of a command has a line for each option, an example and its exit codes', async () => {
  const { out } = await typeLine('log --help');
  expect(out.split('\n')).toEqual([
    'interlock log [TASK] [-f | --tail N] [--attempt N] [--plan FILE] [--run RUN]',
    '  Prints what a task has written; without a task that of the one that failed last.',
    '',
    '  -f, --follow                goes on until the task ends, attempt after attempt',
    '      --tail N                the last N lines; default: all that is kept',
    '      --attempt N             an earlier attempt; default: the newest',
    '      --plan FILE             the plan, where several have the task',
    '      --run RUN               another run than the newest unfinished one that has the task',
    '      --board DIR             the folder it is about; default: this one, or the one above with a plan',
    '      --connect-timeout TIME  how long to wait for a silent coordinator; default: 30s',
    '      --json                  one JSON document on the output, whatever happens',
    '  -h, --help                  this text',
    '  -v, --version               the version',
    '',
    'Example: interlock log',
    'Example: interlock log bread --tail 20',
    'Exit codes: 0 done; 2 wrong usage, or no such task; 4 no log yet; 5 the store does not work here, or nobody answers; 130 -f was ended',
    '',
  ]);
});

test('the help of every command fits a wide terminal but for its usage and its exit codes', () => {
  for (const [, command] of commands)
    for (const line of helpOf(command).split('\n').slice(1, -2))
      expect(line.length).toBeLessThanOrEqual(110);
});

test('the words that other texts take for known are explained', async () => {
  const { code, out } = await typeLine('help words');
  const explained = [...out.matchAll(/^[a-z]+/gm)].map(([word]) => word);
  expect([code, explained]).toEqual([0, expect.arrayContaining(['term', 'lease', 'run', 'board'])]);
});

test('there is a script of completions for three shells, with every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await typeLine(`completion ${shell}`);
    expect(code).toBe(0);
    for (const name of COMMANDS.keys()) expect(out).toContain(` ${name}`);
  }
  expect((await typeLine('completion tcsh')).err).toBe(
    'There are scripts for bash, zsh, fish, not for "tcsh".\n',
  );
});

test('every command has an example', () => {
  expect(new Set(examples.map(({ name }) => name))).toEqual(new Set(COMMANDS.keys()));
});
