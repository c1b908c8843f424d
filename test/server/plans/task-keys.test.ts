import {
  checkProblems as check,
  checkTaskProblems as checkTask,
} from '../../support/check-problems.ts';

const NOT_RELATIVE =
  'error invalid-path: Paths are relative to the workspace folder: no leading "/", "~" or drive letter.';
/** Keys that nothing acts on yet, each with a value that is right. */
const LATER = {
  agent: 'claude',
  prompt: 'x',
  isolation: 'worktree',
  shards: '4',
  cache: '{}',
  artifacts: '[dist/**]',
};

for (const [key, value] of Object.entries(LATER))
  checkTask(
    `"${key}" is for a later version`,
    `«${key}»: ${value}`,
    `warning not-yet: This version does not act on "${key}" yet.`,
  );
checkTask(
  'a slip of the keys is named',
  '«depend_on»: [a]',
  'warning unknown-key: "depend_on" is not a key of a task. Did you mean "depends_on"?',
);
checkTask(
  'swapped letters are one slip',
  '«cdw»: a',
  'warning unknown-key: "cdw" is not a key of a task. Did you mean "cwd"?',
);
checkTask(
  '"__proto__" is an unknown key',
  '«__proto__»: 1',
  'warning unknown-key: "__proto__" is not a key of a task.',
);
checkTask('a key is there once', '«run»: y', 'error duplicate-key: "run" is here twice.');
checkTask('a title is a text', 'title: «{}»', 'error wrong-type: "title" is a text.');
checkTask('a key without a value is marked itself', '«cwd»', 'error wrong-type: "cwd" is a text.');
checkTask(
  'a description has a limit',
  `«description»: "${'ä'.repeat(128 * 1024)}x"`,
  'error too-large: A description has at most 256 KiB.',
);
checkTask('a prompt has a limit', `«prompt»: "${'x'.repeat(256 * 1024)}"`, [
  'warning not-yet: This version does not act on "prompt" yet.',
]);
checkTask(
  'a longer prompt is too long, whatever the version does with it',
  `««prompt»»: "${'x'.repeat(256 * 1024 + 1)}"`,
  [
    'warning not-yet: This version does not act on "prompt" yet.',
    'error too-large: A prompt has at most 256 KiB.',
  ],
);
check(
  '"run" is a text or a list',
  'tasks: { a: { run: «{}» } }',
  'error wrong-type: "run" is a text.',
);
check(
  '"run" is not empty',
  'tasks: { a: { «run»: " " } }',
  'error wrong-type: "run" has no command.',
);
check(
  '"run" names a program',
  'tasks: { a: { «run»: [] } }',
  'error wrong-type: "run" names no program.',
);
check(
  'a program has a name',
  'tasks: { a: { «run»: [""] } }',
  'error wrong-type: "run" names no program.',
);
check(
  'arguments are texts',
  'tasks: { a: { run: [x, «[y]»] } }',
  'error wrong-type: "run" is a text.',
);
check(
  'a key without a value is marked itself, in lines of their own, too',
  'tasks:\n  a:\n    run: x\n    «cwd»:\n    «timeout»: # soon\n',
  [
    'error wrong-type: "cwd" is a text.',
    `error wrong-type: "timeout" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.`,
  ],
);
checkTask(
  '"cwd" stays in the folder',
  'cwd: «../x»',
  'error invalid-path: A path cannot leave the workspace folder with "..".',
);
checkTask('"cwd" is relative', 'cwd: «/x»', NOT_RELATIVE);
checkTask(
  '"env" are names and texts',
  'env: «x»',
  'error wrong-type: "env" holds names and texts.',
);
checkTask('a variable is a text', 'env: { A: «[x]» }', 'error wrong-type: "A" is a text.');
checkTask(
  'a variable has a name that a shell can use',
  'env: { «1A»: x }',
  'error wrong-type: A variable name has letters, digits and "_", and no digit first.',
);
checkTask(
  'our own variables are ours',
  'env: { «INTERLOCK_TASK»: x }',
  'error wrong-type: Names that start with INTERLOCK_ are set by Interlock itself.',
);
checkTask(
  '"depends_on" is a list',
  'depends_on: «b»',
  'error wrong-type: "depends_on" is a list of task ids. Put it in brackets: [b].',
);
checkTask('a list is no map', 'after: «{}»', 'error wrong-type: "after" is a list of task ids.');
checkTask(
  'entries of a list are texts',
  'writes: [x, «{}»]',
  'error wrong-type: "writes" is a text.',
);
checkTask('a pattern stays in the folder', 'writes: [«/x»], reads: [«"~/x"»]', [
  NOT_RELATIVE,
  NOT_RELATIVE,
]);
checkTask(
  'a pattern that takes away is looked at, too',
  'writes: [«"!{a"»]',
  'error invalid-path: A "{" and its "}" belong together; put a "[{]" for the character itself.',
);

const NOT_YET = (key: string): string =>
  `warning not-yet: This version does not act on "${key}" yet.`;

checkTask('a way to run is one of three', 'in: «tmxu»', [
  'error wrong-type: "in" is process, terminal or tmux. Did you mean "tmux"?',
]);
checkTask('a task is isolated or not', '«isolation»: «yes»', [
  NOT_YET('isolation'),
  'error wrong-type: "isolation" is none or worktree.',
]);
checkTask('a host has no spaces', 'on: [build-1, «"build 2"»]', [
  'error wrong-type: A host is named with letters, digits, "." "_" "-" "@" ":".',
]);
checkTask('a host is no option of ssh', 'on: «-oProxyCommand=x»', [
  'error wrong-type: A host is named with letters, digits, "." "_" "-" "@" ":".',
]);
checkTask('a session of tmux may be anywhere', 'in: tmux, on: [local, build-1]', []);
checkTask('a terminal is on this machine', 'in: terminal, on: [local, «build-1»]', [
  'error contradiction: A terminal is on this machine, and not on "build-1": use "in: tmux", which you can attach to there, or leave out "on".',
]);
checkTask('where a terminal is may be said', 'in: terminal, on: local', []);
for (const [written, name] of [
  ['«locl»', 'locl'],
  ['[build-1, «Local»]', 'Local'],
] as const)
  checkTask(`a host that is nearly this machine is asked about: ${written}`, `on: ${written}`, [
    `warning unknown-host: "${name}" is taken for a host of yours. Did you mean "local"?`,
  ]);
checkTask('a task has one shard at least', '«shards»: «0»', [
  NOT_YET('shards'),
  'error wrong-type: "shards" is a number from 1 to 1000.',
]);
checkTask('a cache has keys', '«cache»: «yes»', [
  NOT_YET('cache'),
  'error wrong-type: "cache" holds keys: { inputs: [src/**], outputs: [dist/**] }.',
]);
checkTask(
  'what is in a cache is looked at, too',
  '«cache»: { inputs: [«../x»], env: [«1A»], «outptus»: [x] }',
  [
    NOT_YET('cache'),
    'error invalid-path: A path cannot leave the workspace folder with "..".',
    'error wrong-type: A variable name has letters, digits and "_", and no digit first.',
    'warning unknown-key: "outptus" is not a key of "cache". Did you mean "outputs"?',
  ],
);
checkTask('artifacts are in the folder', '«artifacts»: [«/tmp/x»]', [
  NOT_YET('artifacts'),
  NOT_RELATIVE,
]);
check(
  'an agent is one of the plan',
  '«agents»: { claude: {} }\ntasks: { a: { «agent»: «claud» } }',
  [
    NOT_YET('agents'),
    NOT_YET('agent'),
    'error unknown-agent: There is no agent "claud" in "agents" of this plan. Did you mean "claude"?',
  ],
);
check(
  'an agent is looked up, whatever is wrong with the role',
  '«agents»: { claude: {} }\ntasks: { a: { «agent»: «claud», role: «agnet» } }',
  [
    NOT_YET('agents'),
    NOT_YET('agent'),
    'error unknown-agent: There is no agent "claud" in "agents" of this plan. Did you mean "claude"?',
    'error wrong-type: "role" is runner, agent or human. Did you mean "agent"?',
  ],
);
check(
  'an id that is there twice is marked where it is there again',
  'tasks:\n  a: { run: x }\n  b: { run: x, depends_on: [a, «a»], after: [a, «a», «"a"»] }',
  Array.from({ length: 3 }, () => 'warning contradiction: "a" is here twice, and counts once.'),
);
for (const [pattern, said] of [
  ['[z-a]x', 'In "[z-a]" the range "z-a" runs backwards, and is read as "a-z".'],
  ['src/[!0-9b-a]*', 'In "[!0-9b-a]" the range "b-a" runs backwards, and is read as "a-b".'],
] as const)
  checkTask(`a range that runs backwards is marked in ${pattern}`, `reads: [«"${pattern}"»]`, [
    `warning contradiction: ${said}`,
  ]);
checkTask('a class of any other form is one', 'reads: ["[a-z]", "[]-a]", "[z-]", "[-a]"]', []);
check(
  'what is wrong with an agent is said',
  '«agents»: { «a b»: {}, b: «x», c: { command: «{}», capabilities: [«""»], «colour»: red } }',
  [
    NOT_YET('agents'),
    'error invalid-id: The name of an agent starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
    'error wrong-type: An agent holds keys: { command: [claude, -p, "${prompt}"] }.',
    'error wrong-type: "command" is a text.',
    'error wrong-type: A capability starts with a letter or digit and has at most 64 of: letters, digits, "_" "." "@" ":" "/" "+" "-".',
    'warning unknown-key: "colour" is not a key of "c".',
  ],
);
