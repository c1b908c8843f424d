import { expect, test } from 'vitest';
import type { HazardPolicy } from '../../../server/domain/run.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { checkProblems } from '../../support/check-problems.ts';

function check(name: string, text: string, expected: Partial<HazardPolicy>): void {
  test(name, () => {
    const { hazards, problems } = parseInterlockYaml(text);
    expect([problems, hazards]).toStrictEqual([[], expected]);
  });
}

check('a plan that says nothing of hazards leaves them to their defaults', 'name: x', {});
check('a plan says some of it', 'hazards: { read-write: wait }', { readWrite: 'wait' });
check(
  'a plan says all of it',
  'hazards: { write-write: warn, read-write: ignore, human: wait, worktrees: wait }',
  { writeWrite: 'warn', readWrite: 'ignore', human: 'wait', worktrees: 'wait' },
);
for (const rule of ['ask', 'wait', 'warn', 'ignore'] as const)
  check(`"${rule}" is a rule for people`, `hazards: { human: ${rule} }`, { human: rule });

const WRONG = 'error wrong-type:';

checkProblems(
  'only people are asked',
  'hazards: { write-write: «ask» }',
  `${WRONG} "write-write" is wait, warn or ignore.`,
);
checkProblems('a slip in a rule is named', 'hazards: { human: «aks», worktrees: «wanr» }', [
  `${WRONG} "human" is ask, wait, warn or ignore. Did you mean "ask"?`,
  `${WRONG} "worktrees" is wait, warn or ignore. Did you mean "warn"?`,
]);
checkProblems(
  'a rule is a word',
  'hazards: { read-write: «[wait]» }',
  `${WRONG} "read-write" is wait, warn or ignore.`,
);
checkProblems(
  'a slip in a kind is named',
  'hazards: { «write_write»: wait }',
  'warning unknown-key: "write_write" is not a key of "hazards". Did you mean "write-write"?',
);
checkProblems(
  'hazards have kinds',
  'hazards: «wait»',
  `${WRONG} "hazards" holds keys: { write-write: wait }.`,
);

test('a rule that cannot be read leaves the others as they are', () => {
  const { hazards } = parseInterlockYaml('hazards: { write-write: x, human: wait }');
  expect(hazards).toStrictEqual({ human: 'wait' });
});
