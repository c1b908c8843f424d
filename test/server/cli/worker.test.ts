import { expect, test } from 'vitest';
import { OptionReader } from '../../../server/cli/options.ts';
import { readWorker } from '../../../server/cli/worker.ts';

function read(options: Readonly<Record<string, string>>): string {
  const result = readWorker(new OptionReader(options), { defaultKind: 'agent' });
  if (result.kind === 'refused') return result.message;
  const { id, kind, capabilities } = result.worker;
  return `${id} is a ${kind} [${capabilities.join(' ')}]`;
}

const check = (options: Readonly<Record<string, string>>, expected: string): void =>
  test(`${JSON.stringify(options)}: ${expected}`, () => expect(read(options)).toBe(expected));

check({ as: 'a1' }, 'agent/a1 is a agent []');
check({ as: 'bob', kind: 'person' }, 'person/bob is a person []');
check({ as: 'person/bob' }, 'person/bob is a person []');
check({ as: 'a1', needs: 'web, code,,' }, 'agent/a1 is a agent [web code]');
check({ as: 'person/bob', kind: 'agent' }, '"person/bob" is no agent.');
check({}, 'Say who you are: --as NAME');
check({ as: 'bob', kind: 'robot' }, '--kind is agent or person, not "robot".');
for (const name of ['', 'a b', 'ü', 'x'.repeat(200)])
  check(
    { as: name },
    `"${name}" cannot be the name of a worker. Use letters, digits and ._-@:/ (at most 120).`,
  );
