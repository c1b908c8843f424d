import { expect, test } from 'vitest';
import { hasOfferedKey, hostReportText } from '../../../client/doctor/host-report-model.ts';

test('the report of a host is a table in which nothing is a link', () => {
  const text = hostReportText('build_1', [
    { name: 'ssh', state: 'fine', found: 'kim@build-1.example, port 22' },
    { name: 'login', state: 'wrong', found: 'It is *refused*.', advice: 'Wait | see.' },
  ]);
  expect(text).toMatchInlineSnapshot(`
    "# Interlock: build\\_1

    1 thing is wrong.

    |  | what | found | what to do |
    | --- | --- | --- | --- |
    | ✓ | **ssh** | \`kim@build-1.example, port 22\` |  |
    | ✗ | **login** | It is \\*refused\\*. | Wait \\| see. |
    "
  `);
});

test('a key that is in question is offered to be trusted', () => {
  const check = { name: 'host key', found: 'x' } as const;
  expect(hasOfferedKey([{ ...check, state: 'wrong' }])).toBe(true);
  expect(hasOfferedKey([{ ...check, state: 'fine' }])).toBe(false);
});
