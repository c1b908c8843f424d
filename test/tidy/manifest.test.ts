import { expect, test } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly default: unknown;
            readonly scope?: string;
            readonly description?: string;
            readonly markdownDescription?: string;
          }
        >
      >;
    };
  };
}

const manifest: Manifest = JSON.parse(readText('package.json'));
const words: Readonly<Record<string, string>> = JSON.parse(readText('package.nls.json'));
const declared = manifest.contributes.commands.map(({ command }) => command).toSorted();

test('every command of the manifest has one handler in client/commands, and no other has one', () => {
  const handled = projectFiles('client/commands/*.ts').flatMap((file) =>
    [...readText(file).matchAll(/'(interlock\.[\w.]+)': /g)].map(([, id = '']) => id),
  );
  expect(handled.toSorted()).toEqual(declared);
});

test('what starts tasks is only offered in a folder that is trusted', () => {
  const starters = manifest.contributes.commands.filter(({ command }) =>
    /\.(?:run|runThis|runAll|retry|answer|resume|resumeAll|pause|pauseAll)$/.test(command),
  );
  expect(starters.length).toBeGreaterThan(8);
  const loose = starters.filter(
    ({ enablement = '' }) => !enablement.includes('isWorkspaceTrusted'),
  );
  expect(loose).toEqual([]);
});

test('every menu and every link of a welcome text names a declared command', () => {
  const inMenus = Object.values(manifest.contributes.menus).flatMap((items) =>
    items.flatMap(({ command }) => command ?? []),
  );
  const inTexts = [...JSON.stringify(words).matchAll(/\(command:(interlock\.[\w.]+)/g)].map(
    ([, id]) => id ?? '',
  );
  const unknown = [...inMenus, ...inTexts].filter((id) => !declared.includes(id));
  expect(unknown).toEqual([]);
});

test('every text that the manifest names is in package.nls.json, and no other is', () => {
  const named = [...readText('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key = '']) => key);
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(words).toSorted());
});

test('the settings table of the README says what the manifest says', () => {
  const rows = Object.entries(manifest.contributes.configuration.properties).map(
    ([id, { default: value, ...texts }]) => {
      const key = texts.markdownDescription ?? texts.description ?? '';
      const text = words[key.replaceAll('%', '')] ?? key;
      return `| \`${id}\` | \`${typeof value === 'string' ? value : JSON.stringify(value)}\` | ${text} |`;
    },
  );
  const [, section = ''] = readText('README.md').split('\n## Settings\n');
  const table = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(table).toEqual(rows);
});

test('every setting says what it does as Markdown, and where it may be set', () => {
  const settings = Object.entries(manifest.contributes.configuration.properties);
  const silent = settings.filter(
    ([, { scope, markdownDescription }]) =>
      scope === undefined || markdownDescription?.startsWith('%') !== true,
  );
  expect(silent.map(([id]) => id)).toEqual([]);
});

test('every dependency is pinned to one version', () => {
  const server: Manifest = JSON.parse(readText('scripts/vscode-server/package.json'));
  const loose = [manifest, server].flatMap((part) =>
    [part.dependencies, part.devDependencies, part.optionalDependencies, part.overrides].flatMap(
      (versions) =>
        Object.entries(versions ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    ),
  );
  expect(loose).toEqual([]);
});

test('the lockfiles name no place to download from', () => {
  const locks = ['package-lock.json', 'scripts/vscode-server/package-lock.json'];
  expect(locks.filter((file) => readText(file).includes('"resolved"'))).toEqual([]);
});
