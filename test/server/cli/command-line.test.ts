import { expect, test } from 'vitest';
import { typeLine } from '../../support/typed-line.ts';

const PLAN = 'tasks:\n  bread: { run: x }\n';

/** What is said of a mistake, without the usage that follows. */
const checkMistake = (behaviour: string, words: string, sentence: string): void =>
  test(behaviour, async () => {
    const { code, out, err } = await typeLine(words, { plan: PLAN });
    expect([code, out, err.replace(/ Usage: .*/, '').trim()]).toEqual([2, '', sentence]);
  });

checkMistake(
  'a slip in an option is found',
  'run --paralel 2',
  'There is no option "--paralel". Did you mean "--parallel"?',
);
checkMistake('another option is unknown', 'run --wings', 'There is no option "--wings".');
checkMistake('a letter is unknown', 'status -x', 'There is no option "-x".');
checkMistake('a value is missing', 'run --parallel', '--parallel needs a value behind it.');
checkMistake('an option is no value', 'run --plan --dry-run', '--plan needs a value behind it.');
checkMistake(
  'a number below zero is a value, and a wrong one',
  'run --parallel -1',
  '--parallel takes a number from 1 to 9999, not "-1".',
);
checkMistake('a flag has no value', 'run --new=yes', '--new takes no value.');
checkMistake(
  'two options that say opposite things are a mistake',
  'run --keep-going --fail-fast',
  '--keep-going and --fail-fast say opposite things. Leave out one of the two.',
);
checkMistake(
  'options alone do nothing',
  '--board elsewhere',
  'Name a command. "interlock --help" lists them.',
);

test('options may stand before the command', async () => {
  const { code, out } = await typeLine('--json --board /project check', { plan: PLAN });
  expect([code, JSON.parse(out)]).toEqual([0, { plans: ['interlock.yaml'], problems: [] }]);
});

test('-v, -V and --version print the version, before and behind a command', async () => {
  for (const words of ['-v', '-V', '--version', 'run -v', 'run -V', '--version run'])
    expect(await typeLine(words)).toEqual({ code: 0, out: '0.0.0-test\n', err: '' });
});

test('with --json there is one document, whatever was typed', async () => {
  const lines = ['--json', '--json fly', 'fly --json', '--json run --wings', '--json -v'];
  const documents = await Promise.all(
    [...lines, 'help --json', '--help --json', 'run --help --json', '--json help fly'].map(
      async (words) => Object.keys(JSON.parse((await typeLine(words)).out)).join(),
    ),
  );
  expect(documents).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
    'version',
    'help',
    'help',
    'help',
    'refused',
  ]);
});

const BROKEN = `tasks:
  base: { run: x, depends_on: [gone] }
  top: { run: x, depends_on: [base] }
  other: { run: x, reads: 3 }
`;

test('a run that is refused names the mistakes in its way, and how many others there are', async () => {
  expect(await typeLine('run --dry-run top', { plan: BROKEN })).toEqual({
    code: 2,
    out: '',
    err:
      '"top" cannot start. It waits for "base", which cannot start.\n' +
      'interlock.yaml:2:32 error unknown-task There is no task "gone" in this plan.\n' +
      '1 more problem: interlock check\n',
  });
  const { out, err } = await typeLine('--json run --dry-run top', { plan: BROKEN });
  expect(err.split('\n')).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({
    refused: { why: 'cannot-start', problems: [{ line: 2, code: 'unknown-task' }] },
  });
});

test('a name that nobody has says nothing of the mistakes of others', async () => {
  const { err } = await typeLine('run --dry-run topp', { plan: BROKEN });
  expect(err).toBe('There is no task "topp". Did you mean "top"?\n');
});

test('whose hosts are not here is said and no mistake; a slip of "local" is one', async () => {
  const plan = 'tasks:\n  bread: { run: x, on: [box] }\n';
  const { code, out } = await typeLine('check', { plan });
  expect([code, out]).toEqual([0, expect.stringContaining('"box" is not among your hosts')]);
  expect((await typeLine('check', { plan: plan.replace('box', 'locl') })).code).toBe(1);
});

test('check --quiet neither shows warnings nor counts them', async () => {
  const plan = 'tasks:\n  a: { run: x, rum: y }\n';
  expect((await typeLine('check', { plan })).code).toBe(1);
  expect(await typeLine('check --quiet', { plan })).toEqual({ code: 0, out: '', err: '' });
  expect((await typeLine('check -q', { plan: BROKEN })).code).toBe(1);
});

test('--dry-run says after which tasks a step comes, and while which it does not run', async () => {
  const plan = `tasks:
  a: { run: x, writes: [one] }
  b: { run: x, depends_on: [a], writes: [two] }
  c: { run: x, after: [a], writes: [two], reads: [one] }
`;
  const { out } = await typeLine('run --dry-run', { plan });
  expect(out).toBe('   1  a\n   2  b  after a\n   3  c  after a, not while b\n');
  const { out: json } = await typeLine('run --dry-run --json c', { plan });
  expect(JSON.parse(json).runs[0].steps).toEqual([
    { task: 'c', title: '', doer: 'runner', hosts: [], after: [], waitsFor: [] },
  ]);
  const { runs } = JSON.parse((await typeLine('run --dry-run --json', { plan })).out);
  expect(runs[0].steps.at(-1)).toMatchObject({ task: 'c', after: ['a'], waitsFor: ['b'] });
});
