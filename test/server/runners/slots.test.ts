import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainCommand } from '../../../server/domain/shell-words.ts';
import {
  CommandBench,
  filesIn,
  isGone,
  isLinux,
  program,
  shell,
  untilGone,
} from './command-bench.ts';

const LEAKS: readonly (readonly [what: string, leave: string, look: string])[] = [
  ['a folder', 'cd inner', 'pwd'],
  ['a variable', 'A=leaked; export B=leaked; PATH=/leaked', 'echo "$A$B$PATH"'],
  ['a mask', 'umask 000', 'umask'],
  ['a limit', 'ulimit -n 20', 'ulimit -n'],
  ['a trap', "trap 'echo trapped' EXIT TERM", 'trap'],
  ['an ignored signal', "trap '' TERM HUP", isLinux ? 'grep SigIgn /proc/self/status' : 'trap'],
  ['a function', 'true() { echo leaked; }; f() { :; }', 'true; type f'],
  ['an alias', "alias true='echo leaked'", 'true; alias'],
  ['an option', 'set -eufx', 'echo $-'],
  ['words', 'set -- a b c', 'echo $# $0'],
  ['an open file', 'exec 7>open', 'echo >&7'],
  ['a child', 'sleep 300 &', 'jobs; echo "$!"; wait'],
];

for (const [what, leave, look] of LEAKS)
  test(`${what} of one command is not there for the next in its slot`, async () => {
    const bench = new CommandBench();
    const runner = bench.open();
    const before = await bench.run(runner, shell(look));
    const leaver = await bench.run(runner, shell(leave));
    const after = await bench.run(runner, shell(look));
    expect(bench.slotOf(after.launch)).toBe(bench.slotOf(leaver.launch));
    expect(after.output).toBe(before.output);
  });

test('two hundred commands run at the same time and all end', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launches = Array.from({ length: 200 }, () => bench.launch());
  for (const launch of launches) expect(runner.start(launch)).toMatchObject({ kind: 'started' });
  for (const launch of launches) await bench.begun(launch);
  for (const launch of launches) await bench.finish(launch, 0);
  for (const { term } of launches) expect(await bench.ends.of(term)).toEqual({ kind: 'succeeded' });
  expect(bench.ends.all).toHaveLength(200);
}, 30_000);

test('slots that have nothing to do any more go, but for a few', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launches = Array.from({ length: 20 }, () => bench.launch());
  for (const launch of launches) runner.start(launch);
  for (const launch of launches) await bench.begun(launch);
  const slots = launches.map((launch) => bench.slotOf(launch));
  for (const launch of launches) await bench.finish(launch, 0);
  while (slots.filter((slot) => !isGone(slot)).length > 8) await new Promise(setImmediate);
  runner.close();
  for (const slot of slots) await untilGone(slot);
  expect(slots.filter((slot) => !isGone(slot))).toEqual([]);
});

test('commands that have ended leave no file behind but their logs', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const { launch } = await bench.run(runner, shell('true'));
  runner.settled();
  runner.close();
  expect(readdirSync(bench.commandsFolder)).toEqual([]);
  expect(existsSync(bench.logOf(launch))).toBe(true);
});

test('slots that are gone leave no file behind once their ends are written', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const { launch } = await bench.run(runner, shell('kill -TERM $$'));
  await untilGone(bench.slotOf(launch));
  const journal = bench.journalOf(launch) ?? '';
  await bench.run(runner, shell('true'));
  expect(existsSync(journal)).toBe(true);
  while (existsSync(journal)) {
    runner.settled();
    await new Promise(setImmediate);
  }
  const [left] = filesIn(bench.commandsFolder);
  expect(left).not.toBe(journal);
});

test('of a thousand commands few files stay while they run, and none is lost', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launches = [];
  for (let round = 0; round < 1000; round += 1)
    launches.push((await bench.run(runner, shell('true'))).launch);
  expect(bench.ends.all).toHaveLength(1000);
  const records = launches.map((launch) => bench.recordOf(launch).slice(1));
  expect(new Set(records.map((lines) => lines.join(' ')))).toEqual(new Set(['begun ended 0']));
  const files = filesIn(bench.commandsFolder);
  expect(files.length).toBeLessThan(10);
  // No slot has written more than it had room for.
  expect(new Set(files.map((file) => statSync(file).size)).size).toBe(1);
}, 30_000);

test('a command cannot write its own end', async () => {
  const bench = new CommandBench();
  const script = 'for n in 3 4 5 6 7 8 9; do (echo "ended 0" >&$n) 2>&1; done; exit 3';
  const { end, launch } = await bench.run(bench.open(), shell(script));
  expect(end).toEqual({ kind: 'failed', failure: { kind: 'exit', code: 3 } });
  expect(bench.recordOf(launch).slice(1)).toEqual(['begun', 'ended 3']);
});

test('of one term a command starts once, whoever orders it', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const { launch } = await bench.run(runner, shell('echo ran >> runs'));
  const other = bench.open();
  expect(other.start(launch)).toMatchObject({ kind: 'not-started' });
  expect(readFileSync(path.join(bench.root, 'runs'), 'utf8')).toBe('ran\n');
  const after = bench.launch(shell('true'));
  expect(other.start(after)).toMatchObject({ kind: 'started' });
  expect(await bench.ends.of(after.term)).toEqual({ kind: 'succeeded' });
});

test('whoever comes next takes the right to begin anything from whoever was there before', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  await bench.run(runner, shell('true'));
  bench.open();
  const late = bench.launch(shell('touch ran'));
  expect(runner.start(late)).toMatchObject({ kind: 'started' });
  expect(await bench.ends.of(late.term)).toEqual({ kind: 'lost', cause: 'not-started' });
  // There is no slot left that would not know better, and no room for another.
  const later = bench.launch(shell('touch ran'));
  expect(runner.start(later)).toMatchObject({ kind: 'not-started' });
  expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
});

test('any words reach a program, and any values its environment, as they are', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(...Array.from(`'"\\$\`\n\r\t -!*?[]{}()<>|&;#~=%^é€\u{1f600}`)),
    }),
  );
  const text = word.map((made) => made.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), text, async (words, value) => {
      const fields = { ...program('sh', '-c', PRINT_ALL, 'sh', ...words), env: { VALUE: value } };
      const { end, output } = await bench.run(runner, fields);
      expect(end).toEqual({ kind: 'succeeded' });
      expect(output).toBe([value, ...words].map((each) => `${each}\u{1}`).join(''));
    }),
    { numRuns: 150 },
  );
}, 30_000);

const PRINT_ALL = String.raw`for word in "$VALUE" "$@"; do printf '%s\001' "$word"; done`;

test('any script is given to the shell as it is', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const word = fc
    .string({ unit: fc.constantFrom(...Array.from(`'"\\$\`\n -*()|&;#~=ab`)), maxLength: 12 })
    .map((made) => `cat <<'END OF IT'\n${made}\nEND OF IT\n`);
  await fc.assert(
    fc.asyncProperty(word, async (script) => {
      const { output } = await bench.run(runner, shell(script));
      expect(`cat <<'END OF IT'\n${output}END OF IT\n`).toBe(script);
    }),
    { numRuns: 100 },
  );
}, 30_000);

test('a script may begin with what looks like an option', async () => {
  const bench = new CommandBench();
  const { end, output } = await bench.run(bench.open(), shell('-x; echo on'));
  expect([end.kind, output.includes('on\n')]).toEqual(['succeeded', true]);
});

test.each([['true'], ['make -j4 all'], ['/bin/echo a=b @c %d'], ['./x.sh'], ['npm run a:b']])(
  '%j is run as it is, without a shell of its own',
  (script) => {
    expect(isPlainCommand(script)).toBe(true);
  },
);

const NEEDS_A_SHELL = [
  '| true|true |a  b|A=b|A=b true|echo $A|echo ~|echo *|a;b|a\nb|if|while true|. x|exit 3',
  'exec true|set -x|trap|echo "a"|! a|export A=b|time true|{ a|a#|#|a\\b|a{b,c}|a&|echo é|a\tb|a<b',
].flatMap((line) => line.split('|'));

test.each([...NEEDS_A_SHELL, 'a|b'].map((script) => [script]))('%j is run by a shell', (script) => {
  expect(isPlainCommand(script)).toBe(false);
});

const PLAIN = [
  'true|false|echo a b|echo -n|pwd|cd inner|test a = b|kill -l|umask|no-such-program|./inner|wait',
  'type true|getopts a|read|printenv PATH|command -v sh|ulimit -n|jobs|hash|local x|sh -c|env -i',
].flatMap((line) => line.split('|'));

test.each(PLAIN.map((script) => [script]))(
  '%j means the same with and without a shell of its own',
  async (script) => {
    const bench = new CommandBench();
    const runner = bench.open();
    const plain = await bench.run(runner, shell(script));
    const shelled = await bench.run(runner, shell(`${script};`));
    expect(plain.end).toEqual(shelled.end);
    expect(withoutLines(plain.output)).toBe(withoutLines(shelled.output));
  },
);

/** A shell counts the lines of all that it was ever told. */
function withoutLines(output: string): string {
  return output.replaceAll(/^sh: (line )?\d+: /gm, 'sh: ');
}
