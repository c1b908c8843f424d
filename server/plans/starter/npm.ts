import { idsOfLabels } from '../vscode-tasks/task-ids.ts';
import type { NpmPackage } from './npm-package.ts';
import { readNpmPackage } from './npm-package.ts';
import { npmTasks, scriptsByUse } from './npm-scripts.ts';
import { workspacePackages } from './npm-workspaces.ts';
import { present, type Project } from './project.ts';
import type { StarterDraft, StarterTask } from './starter.ts';
import { someOf } from './starter-text.ts';

/** Of more nobody reads a first plan. */
const PACKAGE_LIMIT = 40;

/** A plan of the scripts of a package.json; with workspaces, of those of every package. */
export function npmStarter(project: Project): StarterDraft | undefined {
  const root = readNpmPackage(project, '');
  if (root === undefined) return undefined;
  const runner = packageManagerOf(project, root);
  const packages = workspacePackages(project, root);
  const tasks =
    packages.length > 0
      ? tasksOfPackages(packages.slice(0, PACKAGE_LIMIT), { project, runner })
      : tasksOfScripts(root, { project, runner });
  if (tasks.length === 0) return undefined;
  const { others } = scriptsByUse(root);
  const left = packages.length > 0 ? [...root.scripts.keys()] : others;
  return { kind: 'npm', source: 'package.json', tasks, notes: notesOf(left, packages.length) };
}

interface Place {
  readonly project: Project;
  readonly runner: string;
}

function tasksOfScripts(npm: NpmPackage, place: Place): readonly StarterTask[] {
  const ids = idsOfLabels(npm.scripts.keys());
  return npmTasks({ ...place, npm, idOf: (script) => ids.get(script) ?? script });
}

function tasksOfPackages(packages: readonly NpmPackage[], place: Place): readonly StarterTask[] {
  const names = shortNames(packages);
  const labelOf = (npm: NpmPackage, script: string): string => `${names.get(npm)} ${script}`;
  const ids = idsOfLabels(
    packages.flatMap((npm) => [...npm.scripts.keys()].map((script) => labelOf(npm, script))),
  );
  const builds = new Map<string, { readonly id: string; readonly writes: readonly string[] }>();
  const tasks = packages.map((npm) => {
    const idOf = (script: string): string => ids.get(labelOf(npm, script)) ?? script;
    // Only what comes before it: packages that need each other would wait for ever.
    const needs = npm.needs.flatMap((name) => builds.get(name) ?? []);
    const own = npmTasks({ ...place, npm, idOf, needs });
    const { build } = scriptsByUse(npm);
    const built = own.find(({ id }) => build !== undefined && id === idOf(build));
    if (built !== undefined) builds.set(npm.name, { id: built.id, writes: built.writes ?? [] });
    return own;
  });
  return tasks.flat();
}

/** The last part of its folder, or all of it where several packages end in the same. */
function shortNames(packages: readonly NpmPackage[]): ReadonlyMap<NpmPackage, string> {
  const isOnly = (npm: NpmPackage): boolean =>
    packages.every((other) => other === npm || lastName(other) !== lastName(npm));
  return new Map(packages.map((npm) => [npm, isOnly(npm) ? lastName(npm) : npm.folder]));
}

function lastName({ folder }: NpmPackage): string {
  return folder.split('/').at(-1) ?? folder;
}

const MANAGERS: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

function packageManagerOf(project: Project, { packageManager }: NpmPackage): string {
  const said = /^(npm|pnpm|yarn|bun)@/.exec(packageManager ?? '')?.[1];
  const [file] = present(project, { names: MANAGERS.map(([name]) => name) });
  return said ?? MANAGERS.find(([name]) => name === file)?.[1] ?? 'npm';
}

function notesOf(left: readonly string[], packageCount: number): readonly string[] {
  return [
    ...(left.length === 0
      ? []
      : ['Other scripts of package.json. Add what ends by itself and is to be run:', someOf(left)]),
    ...(packageCount > PACKAGE_LIMIT
      ? [`Of ${packageCount} packages, the first ${PACKAGE_LIMIT} that others need are here.`]
      : []),
  ];
}
