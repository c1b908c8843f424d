// Builds the bundles, and puts the native parts of SQLite and the third-party notices next to them.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (/** @type {string[]} */ ...parts) => path.join(root, ...parts);
const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const isProduction = process.argv.includes('--production');
/** One platform's package carries one SQLite; without it, all of them. */
const target = process.env.INTERLOCK_TARGET;

/** @type {Readonly<Record<string, import('esbuild').BuildOptions>>} */
const ENTRIES = {
  picture: {
    entryPoints: [inRoot('client/webview/main.ts')],
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    mainFields: ['browser', 'module', 'main'],
  },
  extension: { entryPoints: [inRoot('client/extension.ts')], external: ['vscode'] },
  server: { entryPoints: [inRoot('server/launch.ts')] },
  'language-server': { entryPoints: [inRoot('server/main.ts')] },
  cli: { entryPoints: [inRoot('server/cli/launch.ts')] },
  'command-line': { entryPoints: [inRoot('server/cli/main.ts')] },
  'agent-command-line': { entryPoints: [inRoot('server/mcp/main.ts')] },
  // As a function, for `loadProgram` in server/system/keep-compiled.ts.
  hook: {
    entryPoints: [inRoot('server/hook/main.ts')],
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
  },
};

for (const file of [
  'picture.js',
  'picture.js.map',
  'extension.js',
  'server.js',
  'language-server.js',
  'cli.js',
  'command-line.js',
  'agent-command-line.js',
  'hook.js',
  'extension.js.map',
  'server.js.map',
  'language-server.js.map',
  'cli.js.map',
  'command-line.js.map',
  'agent-command-line.js.map',
  'hook.js.map',
  'NOTICES.txt',
])
  rmSync(inRoot('dist', file), { force: true });
/**
 * What is imported from CommonJS is wrapped in each file that imports it, all that there is of it: for
 * what many files import, that takes longer than loading it. Here it is wrapped once for all of them.
 *
 * @type {import('esbuild').Plugin}
 */
const wrappedOnce = {
  name: 'wrapped-once',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^vscode-languageserver(\/node)?$/ }, ({ path: name, namespace }) =>
      namespace === 'file' ? { path: name, namespace: 'wrapped-once' } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'wrapped-once' }, ({ path: name }) => {
      const file = createRequire(import.meta.url).resolve(name);
      const names = Object.keys(createRequire(import.meta.url)(file)).filter(
        (each) => each !== 'default',
      );
      const exported = names.map((each) => `export const ${each} = all.${each};`).join('\n');
      const contents = `import * as all from ${JSON.stringify(file)};\n${exported}`;
      return { contents, resolveDir: root };
    });
  },
};

/**
 * ssh2 tries to load native code, of itself and of another package, and does without where there is none.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutAddons = {
  name: 'without-addons',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/sshcrypto\.node$|^cpu-features$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'without-addons',
    }));
    esbuild.onLoad({ filter: /.*/, namespace: 'without-addons' }, () => ({
      contents: 'throw new Error("It is not shipped.");',
    }));
  },
};

/**
 * Modules of Node.js that a hook seldom needs, or only at its end, are loaded when the first of their
 * functions is called: each takes as long as all that the hook itself does.
 *
 * @type {import('esbuild').Plugin}
 */
const loadedLate = {
  name: 'loaded-late',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^node:(child_process|crypto|net)$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'loaded-late',
    }));
    esbuild.onLoad({ filter: /.*/, namespace: 'loaded-late' }, ({ path: name }) => {
      const functions = Object.entries(createRequire(import.meta.url)(name));
      const late = functions
        .filter(([, value]) => typeof value === 'function')
        .map(([each]) => `export const ${each} = (...args) => load().${each}(...args);`);
      const load = `const load = () => process.getBuiltinModule(${JSON.stringify(name)});`;
      return { contents: [load, ...late].join('\n') };
    });
  },
};

const packages = new Set();
for (const [name, entry] of Object.entries(ENTRIES)) {
  const { metafile } = await build({
    outfile: inRoot('dist', `${name}.js`),
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    ...entry,
    // The same code as modules: what is not used is left out, and the rest need not be wrapped.
    alias: { yaml: inRoot('node_modules/yaml/browser/index.js') },
    plugins: [wrappedOnce, withoutAddons, ...(name === 'hook' ? [loadedLate] : [])],
    minify: isProduction,
    sourcemap: isProduction ? false : 'linked',
    legalComments: 'none',
    define: { __INTERLOCK_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
    metafile: true,
  });
  for (const input of Object.keys(metafile?.inputs ?? {})) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (found !== undefined) packages.add(found);
  }
}
copyPrebuilds();
writeNotices([...packages].toSorted((a, b) => a.localeCompare(b)));

/** better-sqlite3 looks for `../prebuilds/<platform>-<arch>.node` from where its code runs: `dist/`. */
function copyPrebuilds() {
  const library = path.dirname(
    createRequire(import.meta.url).resolve('better-sqlite3/package.json'),
  );
  const wanted = target?.replace(/^alpine-/, 'linuxmusl-');
  const all = readdirSync(path.join(library, 'prebuilds'));
  const chosen = all.filter((file) => wanted === undefined || file === `${wanted}.node`);
  if (chosen.length === 0) {
    const names = all.map((file) => file.replace('.node', '').replace('linuxmusl', 'alpine'));
    throw new Error(`There is no SQLite for "${target}". There is one for: ${names.join(', ')}.`);
  }
  rmSync(inRoot('prebuilds'), { recursive: true, force: true });
  mkdirSync(inRoot('prebuilds'));
  for (const file of chosen)
    cpSync(path.join(library, 'prebuilds', file), inRoot('prebuilds', file));
}

/**
 * The licences of everything that was bundled travel with it.
 *
 * @param {readonly string[]} names
 */
function writeNotices(names) {
  const notices = names.map((name) => {
    const folder = inRoot('node_modules', name);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined
        ? `Licence: ${manifest.license}`
        : readFileSync(path.join(folder, file), 'utf8');
    return `${name} ${manifest.version}\n\n${text.trim()}\n`;
  });
  writeFileSync(inRoot('dist/NOTICES.txt'), notices.join(`\n${'-'.repeat(72)}\n\n`));
}
