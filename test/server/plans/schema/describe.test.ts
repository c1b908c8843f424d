import { expect, test } from 'vitest';
import { asksOf } from '../../../../server/domain/asks.ts';
import { NO_RETRY } from '../../../../server/domain/failure/retry.ts';
import { hazardPolicyOf } from '../../../../server/domain/run.ts';
import { describe, keysAt, takesNames } from '../../../../server/plans/schema/describe.ts';

function namesAt(...path: readonly string[]): readonly string[] {
  return keysAt(path).map(({ name }) => name);
}

test('a plan has its keys in the order of the reference', () => {
  expect(namesAt()).toStrictEqual([
    'version',
    'name',
    'limits',
    'hazards',
    'defaults',
    'agents',
    'tasks',
  ]);
});

test('below a path are the keys that may stand there', () => {
  expect(namesAt('tasks', 'any', 'retry')).toStrictEqual([
    'attempts',
    'backoff',
    'factor',
    'max',
    'on',
  ]);
  expect(namesAt('tasks', 'any', 'timeout')).toStrictEqual(['soft', 'hard']);
  expect(namesAt('defaults', 'timeout')).toStrictEqual(['soft', 'hard']);
  expect(namesAt('agents', 'any')).toStrictEqual(['command', 'capabilities']);
  expect(namesAt('limits')).toStrictEqual(['parallel', 'cpu', 'memory', 'queue']);
});

test('below a text, a name of the user and what nobody knows there are none', () => {
  for (const path of [['name'], ['tasks'], ['tasks', 'a', 'env'], ['x'], ['tasks', 'a', 'x', 'y']])
    expect(keysAt(path)).toStrictEqual([]);
});

test('names of the user stand below some', () => {
  const paths = [
    ['tasks'],
    ['agents'],
    ['limits'],
    ['tasks', 'a', 'env'],
    ['defaults', 'resources'],
  ];
  expect(paths.filter((path) => !takesNames(path))).toStrictEqual([]);
  expect([[], ['hazards'], ['tasks', 'a'], ['name']].filter(takesNames)).toStrictEqual([]);
});

test('a key is described with its words and what counts without it', () => {
  const facts = describe(['tasks', 'a', 'role']);
  expect(facts).toMatchObject({ name: 'role', kind: 'word', default: undefined, isLater: false });
  expect(facts?.values.map(({ text }) => text)).toStrictEqual(['runner', 'agent', 'human']);
  expect(describe(['tasks', 'a', 'timeout'])?.forms).toStrictEqual(['scalar', 'map']);
  expect(describe(['tasks', 'a', 'run'])?.forms).toStrictEqual(['scalar', 'list']);
  expect(describe(['tasks', 'a', 'agent'])?.isLater).toBe(true);
  expect(describe(['tasks', 'a', 'cache', 'inputs'])?.isLater).toBe(true);
  expect(describe(['agents', 'a', 'command'])?.isLater).toBe(true);
});

test('an id, a name and a built-in property are no keys', () => {
  for (const path of [[], ['tasks', 'a'], ['limits', 'db'], ['constructor'], ['__proto__']])
    expect(describe(path)).toBeUndefined();
});

test('every key of the language is described, in one line and with an example', () => {
  const open: (readonly string[])[] = [[], ['tasks', 'a'], ['agents', 'a']];
  const lacking: string[] = [];
  let count = 0;
  for (const path of open)
    for (const { name, summary, example } of keysAt(path)) {
      count += 1;
      open.push([...path, name]);
      if (!/^[A-Z][^\n]*\.$/.test(summary) || example === '')
        lacking.push([...path, name].join('.'));
    }
  expect(lacking).toStrictEqual([]);
  expect(count).toBeGreaterThan(60);
});

test('what counts without a key is what the rules say', () => {
  const retry = keysAt(['tasks', 'a', 'retry']).map((facts) => [facts.name, facts.default]);
  const { attempts, backoffMs, factor, maxMs } = NO_RETRY;
  expect(retry).toStrictEqual([
    ['attempts', String(attempts)],
    ['backoff', `${backoffMs}ms`],
    ['factor', String(factor)],
    ['max', `${maxMs / 1000}s`],
    ['on', '[]'],
  ]);
  const { writeWrite, readWrite, human, worktrees } = hazardPolicyOf({});
  const hazards = keysAt(['hazards']).map((facts) => facts.default);
  expect(hazards).toStrictEqual([writeWrite, readWrite, human, worktrees]);
  const { priority, leaseMs } = asksOf(undefined);
  const { stuckAfterMs } = asksOf({ doer: { kind: 'agent' } });
  expect(describe(['tasks', 'a', 'priority'])?.default).toBe(priority);
  expect(describe(['tasks', 'a', 'stuck_after'])?.default).toBe(`${(stuckAfterMs ?? 0) / 60_000}m`);
  expect(describe(['tasks', 'a', 'lease'])?.detail).toContain(`\`${(leaseMs ?? 0) / 1000}s\``);
});
