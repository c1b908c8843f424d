import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Assembler } from '../../../server/plans/assemble.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { PartTasks } from '../../../server/plans/part-tasks.ts';
import { readingWhole } from '../../../server/plans/read-part.ts';
import { runAll } from '../../../server/plans/slices.ts';
import { PlanReader } from '../../../server/plans/plan-reader.ts';
import { edit, edited, planText } from '../../support/plan-edits.ts';
import { valuesOf } from '../../support/plan-values.ts';

const RUNS = Number(process.env['PLAN_RUNS'] ?? 300);

test('what is read of an edited plan is what is read of its text', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(planText, fc.array(edit, { maxLength: 12 }), (start, edits) => {
      const reader = new PlanReader();
      let text = start;
      expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
      for (const each of edits) {
        text = edited(text, each);
        expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
      }
    }),
    { numRuns: RUNS },
  );
});

test('what is read in blocks is what YAML says', { timeout: 120_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(planText, fc.array(edit, { maxLength: 3 }), (start, edits) => {
      const text = edits.reduce(edited, start);
      const part = runAll(readingWhole(text));
      if (part.slips.length > 0) return;
      compared += 1;
      const whole = new Assembler().assemble([{ tasks: new PartTasks(part), by: 0 }]);
      expect(valuesOf(parseInterlockYaml(text))).toStrictEqual(valuesOf(whole));
    }),
    { numRuns: RUNS * 5 },
  );
  expect(compared).toBeGreaterThan(RUNS);
});
