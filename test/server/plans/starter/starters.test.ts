import { expect, test } from 'vitest';
import { format } from '../../../../server/language/format/format.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import { analyzePlan } from '../../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../../server/plans/interlock-yaml.ts';
import { startersFor } from '../../../../server/plans/starter/starters.ts';
import { starterText } from '../../../../server/plans/starter/starter-text.ts';
import { projectInMemory } from '../../../support/project-in-memory.ts';

type Files = Readonly<Record<string, string>>;

/** The tasks of the likeliest plan, and what is said below them; whichever plan it is, nothing in it is wrong. */
function check(name: string, files: Files, expected: string): void {
  test(name, () => {
    const drafts = startersFor(projectInMemory(files));
    for (const draft of drafts) {
      const { text, line } = starterText(draft);
      expect(analyzePlan(parseInterlockYaml(text), { foldCase: false }).problems).toEqual([]);
      expect(format(readTree(text))).toEqual([]);
      expect(text.split('\n')[line]).toBe(`  ${draft.tasks[0]?.id}:`);
    }
    const [{ kind, source }] = [drafts[0]!];
    const [, tasks] = starterText(drafts[0]!).text.split('\ntasks:\n');
    expect(`${kind} ${source}\n${tasks}`).toBe(expected);
  });
}

function npm(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ name: 'shop', scripts, ...more });
}

check(
  'scripts become tasks: checks at once, tests behind the build; what does not end is left out',
  {
    'package.json': npm(
      {
        dev: 'vite',
        lint: 'eslint .',
        'lint:fix': 'eslint . --fix',
        build: 'tsc',
        test: 'vitest run --coverage',
        'test:watch': 'vitest --watch',
        'test:unit': 'vitest run unit',
      },
      { main: './lib/index.js' },
    ),
    'tsconfig.json': '{ /* of tsc */ "compilerOptions": { "outDir": "out" } }',
    'src/index.ts': '',
    'test/index.test.ts': '',
  },
  `npm package.json
  lint:
    run: npm run lint
    reads: [src/**, package.json, tsconfig.json]

  build:
    run: npm run build
    reads: [src/**, package.json, tsconfig.json]
    writes: [lib/**]

  test:
    depends_on: [build]
    run: npm run test
    reads: [src/**, package.json, tsconfig.json, test/**, lib/**]
    writes: [coverage/**]

# Other scripts of package.json. Add what ends by itself and is to be run:
#   dev, lint:fix, test:watch, test:unit
`,
);

check(
  'what is generated comes before all else',
  {
    'package.json': npm({ test: 'node --test', 'gen:api': 'openapi', types: 'tsc --noEmit' }),
    'pnpm-lock.yaml': '',
  },
  `npm package.json
  # Say what it generates, as in "writes: [src/generated/**]".
  gen-api:
    run: pnpm run gen:api

  types:
    depends_on: [gen-api]
    run: pnpm run types

  test:
    depends_on: [gen-api]
    run: pnpm run test
`,
);

check(
  'packages of a workspace are built behind those that they need, each in its own folder',
  {
    'package.json': npm({ build: 'turbo build' }, { workspaces: ['packages/*', '!packages/old'] }),
    'packages/api/package.json': JSON.stringify({
      name: '@shop/api',
      scripts: { build: 'tsc', test: 'node --test' },
      dependencies: { '@shop/core': '*', 'left-pad': '1' },
    }),
    'packages/api/src/a.ts': '',
    'packages/core/package.json': JSON.stringify({
      name: '@shop/core',
      scripts: { build: 'tsc --outDir build' },
      devDependencies: { '@shop/api': '*' },
    }),
    'packages/old/package.json': JSON.stringify({ name: 'old', scripts: { build: 'x' } }),
  },
  `npm package.json
  core-build:
    run: npm run build
    cwd: packages/core
    writes: [packages/core/build/**]

  api-build:
    depends_on: [core-build]
    run: npm run build
    cwd: packages/api
    reads: [packages/api/src/**, packages/api/package.json, packages/core/build/**]
    writes: [packages/api/dist/**]

  api-test:
    depends_on: [api-build]
    run: npm run test
    cwd: packages/api
    reads: [packages/api/src/**, packages/api/package.json, packages/api/dist/**]

# Other scripts of package.json. Add what ends by itself and is to be run:
#   build
`,
);

check(
  'packages with the same last name are told apart, and one that is needed twice is named once',
  {
    'package.json': npm({}),
    'pnpm-workspace.yaml': 'packages: [apps/*, libs/*]\n',
    'apps/web/package.json': JSON.stringify({
      name: 'web-app',
      scripts: { build: 'x' },
      dependencies: { web: '*' },
      peerDependencies: { web: '*' },
    }),
    'libs/web/package.json': JSON.stringify({ name: 'web', scripts: { build: 'x' } }),
  },
  `npm package.json
  libs-web-build:
    run: pnpm run build
    cwd: libs/web
    writes: [libs/web/dist/**]

  apps-web-build:
    depends_on: [libs-web-build]
    run: pnpm run build
    cwd: apps/web
    writes: [apps/web/dist/**]
`,
);

check(
  'cargo builds, then tests',
  { 'Cargo.toml': '[package]\nname = "a"\n', 'src/main.rs': '', 'tests/all.rs': '' },
  `cargo Cargo.toml
  build:
    run: cargo build
    reads: [src/**, Cargo.toml]
    writes: [target/**, Cargo.lock]

  test:
    depends_on: [build]
    run: cargo test
    reads: [src/**, Cargo.toml, tests/**, Cargo.lock]
    writes: [target/**]

# Whatever else writes target/ waits for what did so before:
#   clippy:
#     depends_on: [test]
#     run: cargo clippy
#     writes: [target/**]
`,
);

check(
  'a program in Go is built into a folder of its own',
  { 'go.mod': 'module a', 'main.go': '' },
  `go go.mod
  vet:
    run: go vet ./...
    reads: ["**/*.go", "!bin/**", go.mod]

  build:
    run: go build -o bin/ ./...
    reads: ["**/*.go", "!bin/**", go.mod]
    writes: [bin/**]

  test:
    depends_on: [build]
    run: go test ./...
    reads: ["**/*.go", "!bin/**", go.mod]
`,
);

check(
  'the tools that a Python project names are called as the project calls them',
  {
    'pyproject.toml': '[tool.ruff]\n[dependency-groups]\ndev = ["pytest>=8"]\n',
    'uv.lock': '',
    'src/a.py': '',
    'tests/test_a.py': '',
  },
  `python pyproject.toml
  lint:
    run: uv run ruff check .
    reads: [src/**, pyproject.toml]

  test:
    run: uv run pytest
    reads: [src/**, pyproject.toml, tests/**]

# To build a package as well, with "build" installed:
#   package:
#     depends_on: [test]
#     run: uv run python -B -m build
#     writes: [dist/**]
`,
);

check(
  'a Python project that names no test runner is tested with what Python has',
  {
    'pyproject.toml': '[tool.poetry.dev-dependencies]\nmypy = "^1"\n',
    'test/test_a.py': '',
    '.venv/pyvenv.cfg': '',
    '.venv/bin/python': '',
  },
  `python pyproject.toml
  types:
    run: .venv/bin/mypy .
    reads: ["**/*.py", pyproject.toml]

  test:
    run: .venv/bin/python -B -m unittest discover -s test
    reads: ["**/*.py", pyproject.toml, test/**]

# To build a package as well, with "build" installed:
#   package:
#     depends_on: [test]
#     run: .venv/bin/python -B -m build
#     writes: [dist/**]
`,
);

check(
  'one without tests has at least its syntax checked',
  { 'pyproject.toml': '[project]\nname = "a"\n', 'a.py': '' },
  `python pyproject.toml
  syntax:
    run: python3 -B -c "import ast, pathlib; [ast.parse(f.read_bytes(), f) for f in pathlib.Path('.').rglob('*.py')]"
    reads: ["**/*.py", pyproject.toml]

# To build a package as well, with "build" installed:
#   package:
#     run: python3 -B -m build
#     writes: [dist/**]
`,
);

check(
  'without a target for all, a Makefile builds what its first rule makes, unless that is no build',
  { Makefile: 'shop: main.c\n\tcc -o $@ $<\ntest:\n\t./shop\n' },
  `make Makefile
  # Say what it makes, as in "writes: [build/**]".
  shop:
    run: make shop

  test:
    depends_on: [shop]
    run: make test
`,
);
check(
  'of many other targets a few are named',
  { Makefile: 'test-docker test a b c d e f g h i j k l m n o'.replaceAll(/ |$/g, ':\n') },
  `make Makefile
  test:
    run: make test

# Other targets of the Makefile. Add what is to be run:
#   test-docker, a, b, c, d, e, f, g, h, i, j, k and 4 more
`,
);

check(
  'targets that people call are taken from a Makefile, and nothing that cleans or installs',
  {
    Makefile: `CC := gcc
.PHONY: all test clean install
all: app
app: main.o \\
  util.o
\t$(CC) -o $@ $^
%.o: %.c
test lint: all
docs/index.html: x
clean:
\trm -f app
install: all
`,
  },
  `make Makefile
  # Say what it makes, as in "writes: [build/**]".
  all:
    run: make all

  test:
    depends_on: [all]
    run: make test

  lint:
    depends_on: [all]
    run: make lint

# Other targets of the Makefile. Add what is to be run:
#   app, clean, install
`,
);

const SMALL = `small undefined
  hello:
    run: echo "Hello from Interlock" > hello.txt
    writes: [hello.txt]

  shout:
    depends_on: [hello]
    run: tr a-z A-Z < hello.txt > shout.txt
    reads: [hello.txt]
    writes: [shout.txt]
`;

check('a bare folder gets two small tasks', { 'notes.md': '' }, SMALL);
check(
  'so does one whose package.json has nothing to run but what npm puts there',
  { 'package.json': npm({ test: 'echo "Error: no test specified" && exit 1', start: 'node .' }) },
  SMALL,
);
check(
  'and one with files that nobody can read',
  { 'package.json': '['.repeat(100_000), 'pyproject.toml.bak': '', Makefile: '\t\0' },
  SMALL,
);

test('several that fit are offered, the likeliest first', () => {
  const files = { 'package.json': npm({ build: 'vite build' }), 'Cargo.toml': '', 'go.mod': '' };
  const kinds = startersFor(projectInMemory(files)).map(({ kind }) => kind);
  expect(kinds).toEqual(['npm', 'cargo', 'go', 'small']);
});

test('scripts with names that a shell would read in another way are not taken', () => {
  const scripts = { 'test:$(x)': 'x', 'lint;x': 'x', 'e2e\u{202e}': 'x', '-test': 'x', unit: 'x' };
  const [draft] = startersFor(projectInMemory({ 'package.json': npm(scripts) }));
  expect(draft?.tasks.map(({ run }) => run)).toEqual(['npm run unit']);
  expect(draft?.notes).toEqual([]);
});
