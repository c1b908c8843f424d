import { expect, test } from 'vitest';
import { keepReport, readReports, shownText } from '../../../client/doctor/kept-reports-model.ts';

const ADVICE = 'Run it again.';

test('a report of this window is shown as it is, an older one with its time', () => {
  const report = { text: '# Report\n', at: 1000 };
  expect(shownText(report, 1000, ADVICE)).toBe('# Report\n');
  expect(shownText(report, 2000, ADVICE)).toMatch(
    /^> As it was at .*, before this window was loaded\. Run it again\.\n\n# Report\n$/,
  );
  expect(shownText(undefined, 1000, ADVICE)).toBe('Run it again.\n');
});

test('what was kept is read again, and nothing else', () => {
  const reports = keepReport(new Map(), '/a.md', { text: 'a', at: 1 });
  expect(readReports(Object.fromEntries(reports))).toEqual(reports);
  expect(readReports({ '/a.md': 'a', '/b.md': { text: 'b' } }).size).toBe(0);
  expect(readReports(undefined).size).toBe(0);
});

test('only the newest reports are kept, each up to a limit', () => {
  let reports: ReturnType<typeof readReports> = new Map();
  for (let at = 0; at < 50; at += 1)
    reports = keepReport(reports, `/${at % 25}.md`, { text: 'x'.repeat(1_000_000), at });
  expect([...reports.values()].map(({ at }) => at)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 30),
  );
  expect(reports.get('/24.md')?.text.length).toBeLessThan(300_000);
});
