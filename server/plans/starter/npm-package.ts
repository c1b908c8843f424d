import { parse as parseJson } from 'jsonc-parser';
import { joined, type Project } from './project.ts';

/** What a starter needs of a package.json. */
export interface NpmPackage {
  readonly folder: string;
  readonly name: string;
  readonly scripts: ReadonlyMap<string, string>;
  /** Names of packages that it cannot be built without. */
  readonly needs: readonly string[];
  /** Patterns of the folders of its workspaces. */
  readonly workspaces: readonly string[];
  /** Files that it says others are to use. */
  readonly entryPoints: readonly string[];
  readonly packageManager: string | undefined;
}

export function readNpmPackage(project: Project, folder: string): NpmPackage | undefined {
  const text = project.read(joined(folder, 'package.json'));
  const found: unknown = text === undefined ? undefined : parseJson(text);
  if (!isRecord(found)) return undefined;
  const scripts = Object.entries(recordOf(found['scripts'])).flatMap(([name, script]) =>
    typeof script === 'string' && PLAIN.test(name) ? [[name, script] as const] : [],
  );
  const { workspaces } = found;
  const listed = isRecord(workspaces) ? workspaces['packages'] : workspaces;
  return {
    folder,
    name: textOf(found['name']) ?? '',
    scripts: new Map(scripts),
    needs: [...new Set(NEEDS.flatMap((key) => Object.keys(recordOf(found[key]))))],
    workspaces: textsIn(listed),
    entryPoints: ENTRY_POINTS.flatMap((key) => textsIn(found[key])),
    packageManager: textOf(found['packageManager']),
  };
}

/** Others would have to be quoted for a shell. */
const PLAIN = /^\w[\w:.@/-]*$/;

const NEEDS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];
const ENTRY_POINTS = ['main', 'module', 'types', 'typings', 'bin', 'exports'];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** However deep they are. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
