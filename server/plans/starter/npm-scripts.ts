import { parse as parseJson } from 'jsonc-parser';
import type { NpmPackage } from './npm-package.ts';
import { joined, patternsOf, type Project } from './project.ts';
import type { StarterTask } from './starter.ts';

/** The scripts of a package that end by themselves and change nothing by hand, by what they do. */
export interface ScriptsByUse {
  readonly generate: string | undefined;
  readonly checks: readonly string[];
  readonly build: string | undefined;
  readonly tests: readonly string[];
  readonly others: readonly string[];
}

export function scriptsByUse({ scripts }: NpmPackage): ScriptsByUse {
  const usable = [...scripts].flatMap(([name, script]) => (isUsable(name, script) ? [name] : []));
  const first = (pattern: RegExp): string | undefined => usable.find((name) => pattern.test(name));
  const family = (pattern: RegExp): readonly string[] => {
    const found = usable.filter((name) => pattern.test(name));
    // "test" mostly runs "test:unit" and "test:e2e".
    return found.filter((name) => !found.includes(baseOf(name)) || baseOf(name) === name);
  };
  const generate = first(/^(gen|generate|codegen)(:|$)/);
  const checks = family(/^(lint|eslint|stylelint|types|typecheck|type-check|check-types)(:|$)/);
  const build = BUILDS.find((name) => usable.includes(name));
  const tests = family(/^(test|tests|unit|integration|e2e)(:|$)/);
  const taken = new Set([generate, build, ...checks, ...tests]);
  const others = [...scripts.keys()].filter((name) => !taken.has(name));
  return { generate, checks, build, tests, others };
}

const BUILDS = ['build', 'compile', 'bundle'];
const ENDLESS = /(^|:)(dev|start|serve|watch|preview|storybook)(:|$)/;
const KEEPS_ON = /--watch\b|\bnodemon\b|\bwebpack serve\b|\bnext dev\b/;
/** It would change what others read. */
const WRITES_SOURCES = /--(fix|write|apply)\b/;
/** As `npm init` writes it. */
const NOT_WRITTEN_YET = /no test specified/;

function isUsable(name: string, script: string): boolean {
  return (
    !ENDLESS.test(name) &&
    ![KEEPS_ON, WRITES_SOURCES, NOT_WRITTEN_YET].some((no) => no.test(script))
  );
}

function baseOf(name: string): string {
  return name.split(':')[0] ?? name;
}

const SOURCES = [
  'src',
  'lib',
  'app',
  'source',
  'server',
  'client',
  'pages',
  'components',
  'public',
];
const TESTS = ['test', 'tests', '__tests__', 'spec', 'e2e'];
const SETTINGS = ['package.json', 'tsconfig.json'];

interface NpmTasksOptions {
  readonly project: Project;
  readonly npm: NpmPackage;
  readonly runner: string;
  readonly idOf: (script: string) => string;
  /** What has to be built before, and what that writes. */
  readonly needs?: readonly { readonly id: string; readonly writes: readonly string[] }[];
}

/** One task for each script that a plan is useful for, in an order in which they can run. */
export function npmTasks(options: NpmTasksOptions): readonly StarterTask[] {
  const { npm, idOf, needs = [] } = options;
  const use = scriptsByUse(npm);
  const files = filesOf(options, use);
  const task = (script: string): Pick<StarterTask, 'id' | 'run' | 'cwd'> => ({
    id: idOf(script),
    run: `${options.runner} run ${script}`,
    cwd: npm.folder,
  });
  const generated = use.generate === undefined ? [] : [idOf(use.generate)];
  const before = [...generated, ...needs.map(({ id }) => id)];
  const { sources, built, output, tests } = files;
  return [
    ...someTask(use.generate, (name) => ({ ...task(name), comments: SAY_WHERE })),
    ...use.checks.map((name) => ({ ...task(name), dependsOn: generated, reads: sources })),
    ...someTask(use.build, (name) => ({
      ...task(name),
      dependsOn: before,
      reads: sources.length === 0 ? [] : [...sources, ...built],
      writes: output,
    })),
    ...use.tests.map((name) => ({
      ...task(name),
      dependsOn: use.build === undefined ? before : [idOf(use.build)],
      reads: [...sources, ...tests, ...(use.build === undefined ? built : output)],
      writes: use.tests.length === 1 ? coverageOf(npm, name) : [],
    })),
  ];
}

function someTask(
  script: string | undefined,
  make: (script: string) => StarterTask,
): readonly StarterTask[] {
  return script === undefined ? [] : [make(script)];
}

/** Patterns for what the tasks of a package read and write. */
interface NpmFiles {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** What other packages were built to. */
  readonly built: readonly string[];
  /** What its own build fills. */
  readonly output: readonly string[];
}

function filesOf({ project, npm, needs = [] }: NpmTasksOptions, use: ScriptsByUse): NpmFiles {
  const { folder } = npm;
  const output = use.build === undefined ? [] : [`${outputOf(project, npm)}/**`];
  const code = patternsOf(project, { folder, names: SOURCES }).filter(
    (pattern) => !output.includes(pattern),
  );
  const settings = code.length === 0 ? [] : patternsOf(project, { folder, names: SETTINGS });
  return {
    sources: [...code, ...settings],
    tests: patternsOf(project, { folder, names: TESTS }),
    built: needs.flatMap(({ writes }) => writes),
    output,
  };
}

function coverageOf({ scripts, folder }: NpmPackage, script: string): readonly string[] {
  const measures = /coverage|\bnyc\b|\bc8\b/.test(scripts.get(script) ?? '');
  return measures ? [joined(folder, 'coverage/**')] : [];
}

const SAY_WHERE = ['Say what it generates, as in "writes: [src/generated/**]".'];

/** The folder that a build fills, as far as the package says. */
function outputOf(project: Project, npm: NpmPackage): string {
  const { folder, scripts, entryPoints } = npm;
  const script = BUILDS.map((name) => scripts.get(name)).find((one) => one !== undefined) ?? '';
  const said = /--out-?dir[= ](?:\.\/)?([\w.-]+)/i.exec(script)?.[1];
  const known = TOOLS.find(([tool]) => tool.test(script))?.[1];
  const sources = new Set(patternsOf(project, { folder, names: ['src', 'source'] }));
  const mayBeSource = sources.size === 0 ? new Set(SOURCES) : new Set(['src', 'source']);
  const promised = entryPoints
    .map((file) => /^(?:\.\/)?([\w.-]+)\/./.exec(file)?.[1])
    .find((name) => name !== undefined && isName(name) && !mayBeSource.has(name));
  const options: unknown = parseJson(project.read(joined(folder, 'tsconfig.json')) ?? '');
  const outDir = /"outDir":"(?:\.\/)?([\w.-]+)\/?"/.exec(JSON.stringify(options) ?? '')?.[1];
  const name = [said, known, promised, outDir].find((one) => one !== undefined && isName(one));
  return joined(folder, name ?? 'dist');
}

const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\bnext build\b/, '.next'],
  [/\breact-scripts build\b/, 'build'],
  [/\bnuxi? build\b|\bnuxt build\b/, '.output'],
];

function isName(name: string): boolean {
  return name !== '.' && name !== '..' && name !== 'node_modules';
}
