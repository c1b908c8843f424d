import type { Pair } from 'yaml';
import type { HazardPolicy, HazardRule } from '../domain/run.ts';
import { HAZARDS_KEYS } from './keys.ts';
import { said } from './said.ts';
import { keyText, readKeys, readWord } from './yaml-values.ts';
import type { ProblemList } from './yaml-document.ts';

const RULES: readonly HazardRule[] = ['wait', 'warn', 'ignore'];
const RULES_OF_PEOPLE: readonly HazardPolicy['human'][] = ['ask', ...RULES];

/** Only what the plan says. */
export function readHazards(pair: Pair, problems: ProblemList): Partial<HazardPolicy> {
  const rules: { -readonly [Name in keyof HazardPolicy]?: HazardPolicy[Name] | undefined } = {};
  const what = { table: HAZARDS_KEYS, example: '{ write-write: wait }' };
  for (const item of readKeys(pair, what, problems))
    switch (keyText(item)) {
      case 'write-write':
        rules.writeWrite = readWord(item, RULES, problems);
        break;
      case 'read-write':
        rules.readWrite = readWord(item, RULES, problems);
        break;
      case 'human':
        rules.human = readWord(item, RULES_OF_PEOPLE, problems);
        break;
      case 'worktrees':
        rules.worktrees = readWord(item, RULES, problems);
        break;
      default:
    }
  return said(rules);
}
