import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzePlan } from '../../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../../server/plans/interlock-yaml.ts';
import { startersFor } from '../../../../server/plans/starter/starters.ts';
import { starterText } from '../../../../server/plans/starter/starter-text.ts';
import { projectInMemory } from '../../../support/project-in-memory.ts';

test('whatever scripts packages have and need, the plan of them has no problem', () => {
  const words = [
    'build',
    'test',
    'test:unit',
    'e2e',
    'lint',
    'types:all',
    'gen',
    'generate',
    'dev',
  ];
  const commands = ['tsc', 'next build', 'x --outDir lib', 'jest --coverage', 'eslint --fix', ''];
  const scripts = fc.dictionary(fc.constantFrom(...words), fc.constantFrom(...commands));
  const folders = ['a/one', 'a/two', 'b/one', 'b/lib'];
  const dependencies = fc.dictionary(fc.constantFrom(...folders), fc.constant('*'));
  const project = fc.record({
    ofRoot: scripts,
    ofFolders: fc.tuple(...folders.map(() => fc.record({ scripts, dependencies }))),
    inAll: fc.subarray(['src/a.ts', 'lib/a.ts', 'test/a.ts', 'build/a.ts']),
    workspaces: fc.constantFrom([], ['a/*', 'b/*']),
  });
  fc.assert(
    fc.property(project, ({ ofRoot, ofFolders, inAll, workspaces }) => {
      const files = Object.fromEntries([
        ['package.json', JSON.stringify({ scripts: ofRoot, workspaces })],
        ...folders.map((name, index) => [
          `${name}/package.json`,
          JSON.stringify({ name, ...ofFolders[index] }),
        ]),
        ...['', ...folders.map((folder) => `${folder}/`)].flatMap((folder) =>
          inAll.map((file) => [`${folder}${file}`, '']),
        ),
      ]);
      for (const draft of startersFor(projectInMemory(files)))
        expect(problemsOf(starterText(draft).text)).toEqual([]);
    }),
  );
});

function problemsOf(plan: string): readonly unknown[] {
  return analyzePlan(parseInterlockYaml(plan), { foldCase: true }).problems;
}
