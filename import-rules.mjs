// Who may import whom, one sentence a rule. scripts/check-imports.mjs enforces this on every file;
// test/scripts/check-imports.test.ts plants a forbidden import for each rule and sees it refused.

const LANGUAGE_SERVER = 'vscode-languageserver';
const NODE_FILES = ['node:fs', 'node:path'];
const NODE_SHELLS = ['node:child_process', 'node:crypto', 'node:stream', 'node:timers/promises'];
const ENGINE_PORTS = ['ports', 'store-error', 'store-port', 'system-failure', 'tree-watch'].map(
  (name) => `server/engine/${name}.ts`,
);

/**
 * A layer: files below `path` may import each other, what `allowed` names, and nothing else. Of two
 * that hold a file the later one counts.
 *
 * @typedef {{ name: string, because: string, path: string, allowed: readonly string[] }} Layer
 */

/** @type {readonly Layer[]} */
export const LAYERS = [
  {
    name: 'protocol-is-a-leaf',
    because: 'Both sides read it, so it reads neither.',
    path: 'protocol/',
    allowed: [],
  },
  {
    name: 'pictures-are-drawn-anywhere',
    because:
      'What a picture looks like is a function of messages, for the editor, files and programs.',
    path: 'picture/',
    allowed: ['protocol/', '@vscode/l10n'],
  },
  {
    name: 'domain-is-pure',
    because: 'Rules of the game: no I/O, no packages, no Node modules.',
    path: 'server/domain/',
    allowed: [],
  },
  {
    name: 'scheduler-decides-only',
    because: 'A decision is a function of domain values.',
    path: 'server/scheduler/',
    allowed: ['server/domain/'],
  },
  {
    name: 'model-keeps-facts',
    because: 'What is so, and what follows from it; not what may or should be.',
    path: 'server/scheduler/model/',
    allowed: ['server/domain/'],
  },
  {
    name: 'predicate-decides-nothing',
    because: 'It says what may be, for whoever asks.',
    path: 'server/scheduler/predicate/',
    allowed: ['server/domain/', 'server/scheduler/model/', 'server/scheduler/decision.ts'],
  },
  {
    name: 'decisions-answer-nobody',
    because: 'A turn asks no one; requests ask it.',
    path: 'server/scheduler/decisions/',
    allowed: [
      'server/domain/',
      'server/scheduler/model/',
      'server/scheduler/predicate/',
      'server/scheduler/decision.ts',
    ],
  },
  {
    name: 'plans-are-pure',
    because: 'Text in, tasks and problems out.',
    path: 'server/plans/',
    allowed: ['server/domain/', 'jsonc-parser', 'yaml', 'zod'],
  },
  {
    name: 'language-answers-editors',
    because: 'A plan and a place in it to what an editor shows; handlers speak the protocol.',
    path: 'server/language/',
    allowed: ['server/domain/', 'server/plans/'],
  },
  {
    name: 'doctor-judges',
    because: 'What is found on a machine to what it means; it looks through doctor/ports.ts only.',
    path: 'server/doctor/',
    allowed: ['server/domain/', 'server/engine/ports.ts'],
  },
  {
    name: 'engine-acts-through-ports',
    because: 'The engine knows the world by engine/ports.ts only.',
    path: 'server/engine/',
    allowed: ['server/domain/', 'server/scheduler/'],
  },
  {
    name: 'store-implements-ports',
    because: 'SQL stays here.',
    path: 'server/store/',
    allowed: [
      'server/doctor/ports.ts',
      'server/domain/',
      'server/scheduler/decision.ts',
      'server/scheduler/model/',
      ...ENGINE_PORTS,
      'better-sqlite3',
      'node:zlib',
      ...NODE_FILES,
    ],
  },
  {
    name: 'runners-implement-ports',
    because: 'A runner knows one way to run and no other.',
    path: 'server/runners/',
    allowed: [
      'server/domain/',
      'server/engine/ports.ts',
      'execa',
      'node:child_process',
      'node:timers/promises',
      ...NODE_FILES,
    ],
  },
  {
    name: 'machines-implement-ports',
    because: 'A machine is reached by a link, and whatever runs there is started by a shell.',
    path: 'server/remote/',
    allowed: [
      'server/board/session-ports.ts',
      'server/doctor/',
      'server/domain/',
      'server/engine/ports.ts',
      'server/runners/',
      'node:stream/promises',
      ...NODE_SHELLS,
      ...NODE_FILES,
    ],
  },
  {
    name: 'ssh-is-a-way',
    because: 'How a host is reached, and whether it is who it should be; not what is done there.',
    path: 'server/remote/ssh/',
    allowed: [
      'server/domain/',
      'server/remote/channel.ts',
      'server/runners/find-program.ts',
      'ssh2',
      'node:fs/promises',
      'node:net',
      'node:os',
      'node:path',
      ...NODE_SHELLS,
    ],
  },
  {
    name: 'system-implements-ports',
    because: 'The rest of the operating system.',
    path: 'server/system/',
    allowed: [
      'server/doctor/ports.ts',
      'server/domain/',
      'server/plans/plan-file-names.ts',
      'server/runners/find-program.ts',
      'server/plans/plan-source.ts',
      'server/plans/kanban/board-place.ts',
      'server/plans/vscode-tasks/surroundings.ts',
      ...ENGINE_PORTS,
      'server/board/host-ports.ts',
      'server/board/ports.ts',
      'node:child_process',
      'node:crypto',
      'node:os',
      'node:vm',
      ...NODE_FILES,
      'node:module',
    ],
  },
  {
    name: 'coordinator-carries-messages',
    because: 'It knows who speaks to a board and how, not what is meant.',
    path: 'server/coordinator/',
    allowed: [
      'protocol/',
      'server/domain/',
      'server/engine/ports.ts',
      'node:crypto',
      'node:net',
      'node:os',
      'node:stream',
      'node:timers',
      ...NODE_FILES,
    ],
  },
  {
    name: 'keeper-takes-part',
    because: 'It decides for a board or asks whoever does; nothing of the machine but the socket.',
    path: 'server/keeper/',
    allowed: ['server/domain/', 'server/scheduler/', 'server/engine/', 'server/coordinator/'],
  },
  {
    name: 'board-joins-plans-and-engine',
    because: 'A board reaches the machine through board/ports.ts only.',
    path: 'server/board/',
    allowed: [
      'server/doctor/ports.ts',
      'server/domain/',
      'server/scheduler/',
      'server/plans/',
      'server/engine/',
      'server/keeper/',
    ],
  },
  {
    name: 'pictures-show-what-is',
    because: 'What a picture shows is worked out of facts; it changes none.',
    path: 'server/pictures/',
    allowed: [
      'protocol/',
      'picture/',
      'server/domain/',
      'server/scheduler/',
      'server/plans/',
      'server/board/',
      'server/engine/store-port.ts',
    ],
  },
  {
    name: 'handlers-translate',
    because: 'Messages to calls and back; they decide nothing.',
    path: 'server/handlers/',
    allowed: [
      'server/doctor/examine.ts',
      'protocol/',
      'server/domain/',
      'server/plans/',
      'server/language/',
      'server/engine/store-port.ts',
      'server/board/',
      'server/pictures/',
      LANGUAGE_SERVER,
      'vscode-languageserver-textdocument',
      'node:path',
      'node:url',
    ],
  },
  {
    name: 'command-line-translates',
    because: 'Arguments to calls, results to text or JSON.',
    path: 'server/cli/',
    allowed: [
      'protocol/graph.ts',
      'picture/',
      'server/doctor/examine.ts',
      'server/doctor/ports.ts',
      'server/domain/',
      'server/pictures/',
      'server/plans/',
      'server/board/',
      'server/engine/board-calls.ts',
      ...ENGINE_PORTS,
      'server/keeper/',
      'server/scheduler/',
      'server/coordinator/client-wire.ts',
      'server/coordinator/endpoint.ts',
      'server/hook/',
      'server/system/board-directory.ts',
      'server/system/keep-compiled.ts',
      'server/system/state-home.ts',
      'node:module',
      'server/runtime-guard.ts',
      'server/world.ts',
      'node:fs/promises',
      'node:util',
      'node:process',
      'node:zlib',
      ...NODE_FILES,
    ],
  },
  {
    name: 'hooks-load-little',
    because: 'An agent waits for its hook each time it writes a file.',
    path: 'server/hook/',
    allowed: [
      'server/domain/',
      'server/scheduler/',
      'server/board/',
      'server/cli/find-folder.ts',
      'server/cli/path-in-tree.ts',
      'server/coordinator/',
      'server/keeper/plain-answers.ts',
      'server/plans/plan-file-names.ts',
      'server/plans/quantities.ts',
      'server/system/',
      'node:module',
      'node:process',
      ...NODE_FILES,
    ],
  },
  {
    name: 'agents-are-served-by-commands',
    because: 'Tools of agents do what commands do, and say it in another form.',
    path: 'server/mcp/',
    allowed: [
      'server/domain/',
      'server/plans/',
      'server/board/',
      ...ENGINE_PORTS,
      'server/scheduler/',
      'server/cli/',
      '@modelcontextprotocol/server',
      'zod',
      'node:process',
    ],
  },
  {
    name: 'server-is-given-its-world',
    because: 'createServer receives a world; main.ts builds it.',
    path: 'server/server.ts',
    allowed: [
      'protocol/',
      'server/board/ports.ts',
      'server/handlers/',
      'server/plans/interlock-yaml.ts',
      LANGUAGE_SERVER,
    ],
  },
  {
    name: 'server-is-launched',
    because: 'What it starts with is compiled each time, so it is small.',
    path: 'server/launch.ts',
    allowed: [
      'server/runtime-guard.ts',
      'server/system/keep-compiled.ts',
      'node:module',
      'node:process',
    ],
  },
  {
    name: 'runtime-guard-needs-nothing',
    because: 'It runs where nothing else of ours could.',
    path: 'server/runtime-guard.ts',
    allowed: ['protocol/', 'node:process'],
  },
  {
    name: 'client-speaks-protocol',
    because: 'Client and server meet in protocol/.',
    path: 'client/',
    allowed: ['protocol/', 'picture/', 'vscode', 'vscode-languageclient', '@vscode/l10n'],
  },
  {
    name: 'webview-shows-pictures',
    because: 'It runs in a page: no VS Code, no Node modules, nothing but messages and pictures.',
    path: 'client/webview/',
    allowed: ['protocol/', 'picture/', '@vscode/l10n'],
  },
];

/**
 * A ban: no file that `from` matches may import what `to` matches. Paths are regular expressions.
 *
 * @typedef {{ name: string, because: string, from: RegExp, to: RegExp }} Ban
 */

/** @type {readonly Ban[]} */
export const BANS = [
  {
    name: 'view-models-are-pure',
    because: 'What a view shows is worked out without VS Code.',
    from: /^client\/.*-model\.ts$/,
    to: /^vscode(-|$|\/)/,
  },
  {
    name: 'entry-points-are-not-imported',
    because: 'A process starts there; nothing else does.',
    from: /./,
    to: /^(server\/(main|launch)|server\/cli\/(main|launch)|server\/(mcp|hook)\/main|client\/(extension|webview\/main))\.ts$/,
  },
  {
    name: 'adapters-are-built-in-one-place',
    because: 'Only world.ts and tests know which adapter is behind a port.',
    from: /^(?!server\/(world\.ts|store\/|remote\/|runners\/|system\/)|test\/|server\/launch\.ts|server\/cli\/(where|launch)\.ts|server\/hook\/main\.ts)/,
    to: /^server\/(store|remote|runners|system)\//,
  },
  {
    name: 'product-does-not-use-tests',
    because: 'Neither tests nor scripts are shipped.',
    from: /^(protocol|picture|client|server)\//,
    to: /^(test|scripts)\//,
  },
  {
    name: 'tests-do-not-share-tests',
    because: 'What two tests need lives in test/support/.',
    from: /^test\//,
    to: /\.test\.ts$/,
  },
];

/** Rules that need all files at once. */
export const GRAPH_RULES = {
  'no-cycles': 'Two files that need each other are one file, or hide a third.',
  'no-orphans': 'A file that nobody imports and that starts nothing is dead.',
  'imports-exist':
    'An import leads to a file of ours, a package of package.json, or a Node module.',
  'product-is-layered': 'A file of the product lies in a layer, or connects them all.',
  'product-uses-runtime-packages': 'What ships imports "dependencies", never "devDependencies".',
};

/** Files of the product that may import from any layer. */
export const CONNECTORS = [/^server\/main\.ts$/, /^server\/world\.ts$/, /\.d\.ts$/];

/** Files that something other than an import starts. */
export const ENTRY_POINTS = [
  /^client\/extension\.ts$/,
  /^client\/webview\/main\.ts$/,
  /^server\/(main|launch)\.ts$/,
  /^server\/cli\/(main|launch)\.ts$/,
  /^server\/(mcp|hook)\/main\.ts$/,
  /\.test\.ts$/,
  /\.d\.ts$/,
  /^test\/editor\/host\//,
  /^vitest\.config\.mjs$/,
  /^test\/bench\/peers\/programs\//,
  /^test\/(bench|crash|machines|sim|soak|support\/fuzz)\/main\.ts$/,
  /^test\/(crash|machines)\/programs\//,
  /^test\/support\/[a-z-]+\.mjs$/,
  /^scripts\//,
];
