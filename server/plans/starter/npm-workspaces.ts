import { parse as parseYaml } from 'yaml';
import { type NpmPackage, readNpmPackage } from './npm-package.ts';
import { joined, type Project } from './project.ts';

/** The packages of a workspace, each behind those that it needs, as far as that can be. */
export function workspacePackages(project: Project, root: NpmPackage): readonly NpmPackage[] {
  const patterns = [...root.workspaces, ...pnpmPatterns(project)];
  const taken = patterns.filter((pattern) => !pattern.startsWith('!'));
  const folders = new Set(taken.flatMap((pattern) => foldersOf(project, pattern)));
  for (const pattern of patterns)
    if (pattern.startsWith('!'))
      for (const folder of foldersOf(project, pattern.slice(1))) folders.delete(folder);
  const packages = [...folders].toSorted().flatMap((folder) => {
    const npm = PLAIN.test(folder) ? readNpmPackage(project, folder) : undefined;
    return npm === undefined ? [] : [npm];
  });
  return inOrder(packages);
}

/** Anything else would have to be written in another way to be a pattern of a plan. */
const PLAIN = /^[\w@.-]+(\/[\w@.-]+)*$/;

function pnpmPatterns(project: Project): readonly string[] {
  const text = project.read('pnpm-workspace.yaml');
  if (text === undefined) return [];
  try {
    const found: unknown = parseYaml(text);
    if (typeof found !== 'object' || found === null || !('packages' in found)) return [];
    return Array.isArray(found.packages)
      ? found.packages.filter((one): one is string => typeof one === 'string')
      : [];
  } catch {
    // What cannot be read names no packages.
    return [];
  }
}

/** Of a pattern with a name in every place but the last; others are rare, and no folder is found for them. */
function foldersOf(project: Project, pattern: string): readonly string[] {
  const path = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const last = /^(.*?)\/?\*\*?$/.exec(path);
  const parent = last?.[1] ?? path;
  if (/[*?{[\\]|(^|\/)\.\.(\/|$)|^\//.test(parent)) return [];
  if (last === null) return [path];
  return project
    .entries(parent)
    .flatMap(({ name, isFolder }) => (isFolder && !name.startsWith('.') ? [name] : []))
    .filter((name) => name !== 'node_modules')
    .map((name) => joined(parent, name));
}

function inOrder(packages: readonly NpmPackage[]): readonly NpmPackage[] {
  const byName = new Map(packages.map((npm) => [npm.name, npm]));
  const done = new Set<NpmPackage>();
  const ordered: NpmPackage[] = [];
  const visit = (npm: NpmPackage): void => {
    if (done.has(npm)) return;
    done.add(npm);
    for (const name of npm.needs) {
      const needed = byName.get(name);
      if (needed !== undefined) visit(needed);
    }
    ordered.push(npm);
  };
  for (const npm of packages) visit(npm);
  return ordered;
}
