import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Writes how many tests of each suite passed, failed and were skipped, for the closing line. */
export class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['INTERLOCK_TEST_COUNTS'];
    if (file === undefined) return;
    const suites: Record<string, Counts> = {};
    for (const module of modules) {
      const counts = (suites[module.project.name] ??= { passed: 0, failed: 0, skipped: 0 });
      // A file that could not even be loaded has no tests that could fail.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
      }
    }
    if (errors.length > 0)
      suites['outside of tests'] = { passed: 0, failed: errors.length, skipped: 0 };
    writeFileSync(file, JSON.stringify(suites));
  }
}
