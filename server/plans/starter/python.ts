import { patternsOf, present, type Project } from './project.ts';
import type { StarterDraft, StarterTask } from './starter.ts';

/** What a project says of its tools, in its own settings or among what it depends on. */
const TOOLS = [
  { name: 'ruff', id: 'lint', command: 'ruff check .' },
  { name: 'flake8', id: 'flake8', command: 'flake8' },
  { name: 'mypy', id: 'types', command: 'mypy .' },
  { name: 'pyright', id: 'pyright', command: 'pyright' },
] as const;

const TEST_FOLDERS = ['test', 'tests'];

export function pythonStarter(project: Project): StarterDraft | undefined {
  const text = project.read('pyproject.toml');
  if (text === undefined) return undefined;
  const hasTool = (name: string): boolean =>
    new RegExp(String.raw`^\s*\[tool\.${name}\b|^\s*${name}\s*=|["']${name}\b`, 'm').test(text);
  const { tool, python } = callsOf(project);
  const reads = [
    ...(present(project, { names: ['src'] }).length > 0 ? ['src/**'] : ['**/*.py']),
    'pyproject.toml',
  ];
  const checks = TOOLS.filter(({ name }) => hasTool(name)).map(({ id, command }): StarterTask => ({
    id,
    run: `${tool}${command}`,
    reads,
  }));
  const [testFolder = '.'] = present(project, { names: TEST_FOLDERS });
  const test: StarterTask = {
    id: 'test',
    run: hasTool('pytest') ? `${tool}pytest` : `${python} -m unittest discover -s ${testFolder}`,
    reads: [...reads, ...patternsOf(project, { names: TEST_FOLDERS })],
  };
  const hasTests = hasTool('pytest') || present(project, { names: TEST_FOLDERS }).length > 0;
  const syntax: StarterTask = {
    id: 'syntax',
    run: `${python} -c "import ast, pathlib; [ast.parse(f.read_bytes(), f) for f in pathlib.Path('.').rglob('*.py')]"`,
    reads,
  };
  const tasks = [...checks, ...(hasTests ? [test] : [])];
  return {
    kind: 'python',
    source: 'pyproject.toml',
    tasks: tasks.length > 0 ? tasks : [syntax],
    notes: [
      'To build a package as well, with "build" installed:',
      '  package:',
      ...(hasTests ? ['    depends_on: [test]'] : []),
      `    run: ${python} -m build`,
      '    writes: [dist/**]',
    ],
  };
}

/** How tools and Python itself are called, so that they are those of the project; `-B` writes no bytecode beside the sources. */
function callsOf(project: Project): { readonly tool: string; readonly python: string } {
  const [lock] = present(project, { names: ['uv.lock', 'poetry.lock', 'pdm.lock'] });
  const runner = lock?.split('.')[0];
  if (runner !== undefined) return { tool: `${runner} run `, python: `${runner} run python -B` };
  const environment = ['.venv', 'venv'].find(
    (folder) => project.read(`${folder}/pyvenv.cfg`) !== undefined,
  );
  const isPosix =
    environment !== undefined && project.entries(environment).some(({ name }) => name === 'bin');
  return isPosix
    ? { tool: `${environment}/bin/`, python: `${environment}/bin/python -B` }
    : { tool: 'python3 -B -m ', python: 'python3 -B' };
}
