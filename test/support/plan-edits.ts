import * as fc from 'fast-check';

/** Plans as people write them, and what fingers do to them. */

const VALUES = [
  'run: npm test',
  'run: "echo: x"',
  "run: 'it''s'",
  'run: [npm, run, "build"]',
  'run: |\n      npm ci\n      # no comment\n\n      npm test',
  'run: |+\n      make\n\n',
  'run: >-\n      one\n      two',
  'run: first\n      second # a comment',
  'title: Add the "users" endpoint',
  'title: ünï 🚂 code',
  'depends_on: [t0, t1]',
  'depends_on:\n      - t0\n      - "t1" # both',
  'depends_on:\n    - t2',
  'after: [nobody]',
  'reads: [src/**, "!src/x"]',
  'writes: [\n      dist/**,\n      "{a,b}"\n    ]',
  'writes: [../x, /y]',
  'priority: high',
  'priority: hgih',
  'resources: { db: 1, memory: 4 }',
  'retry: { attempts: 3, backoff: soon }',
  'timeout: { soft: 5m, hard: 1m }',
  'timeout:',
  'env:\n      A: x\n      A: y',
  'agent: claude',
  'agent: claud',
  'role: human',
  'stuck_after: 5m',
  'in: tmux',
  'naem: x',
  'prompt: |\n      # Title\n      tasks:\n        x:\n',
] as const;

const HEADS = [
  'version: 1',
  'name: shop',
  'limits: { parallel: 4, db: 1 }',
  'limits: {\n  parallel: 4\n}',
  'limits:\n  db: 2\n  memory: 1GiB',
  'hazards: { write-write: wait, human: aks }',
  'defaults: { env: { A: x }, resources: { db: 3 }, retry: { attempts: 2 } }',
  'defaults:\n  timeout: 5\n  priority: low',
  'agents:\n  claude: { command: [claude, -p] }',
  'name: |\n  two\n  lines',
  'unknown: x',
] as const;

const COMMENTS = ['', '', '', '# note\n', '#x\n', '  # deeper\n', '\n', '   \n'] as const;

const comment = fc.constantFrom(...COMMENTS);

const task = fc
  .record({
    above: comment,
    id: fc.constantFrom('t0', 't1', 't2', 'T0', 'build', 'a.b-c', '1.0', 'b c', '"q"', 'x'),
    keys: fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 4 }),
    within: comment,
  })
  .map(({ above, id, keys, within }) => {
    const lines = keys.map((key) => `    ${key}\n`).join(within);
    return `${above}  ${id}:${keys.length === 0 ? ' { run: x }' : ''}\n${lines}`;
  });

/** Mostly a plan that is right, or nearly. */
export const planText: fc.Arbitrary<string> = fc
  .record({
    start: fc.constantFrom('', '', '', '---\n', '# plan\n', '\uFEFF', '%YAML 1.2\n---\n'),
    heads: fc.uniqueArray(fc.constantFrom(...HEADS), { maxLength: 4 }),
    opener: fc.constantFrom('tasks:', 'tasks:', 'tasks: # all', 'tasks:   ', 'tasks: {}'),
    between: comment,
    tasks: fc.array(task, { maxLength: 6 }),
    tails: fc.uniqueArray(fc.constantFrom(...HEADS), { maxLength: 2 }),
    isCrlf: fc.nat(9),
  })
  .map(({ start, heads, opener, between, tasks, tails, isCrlf }) => {
    const lines = [...heads, opener].map((line) => `${line}\n`).join('');
    const end = tails.map((line) => `${line}\n`).join('');
    const text = `${start}${lines}${between}${tasks.join('')}${end}`;
    return isCrlf === 0 ? text.replaceAll('\n', '\r\n') : text;
  });

const TYPED = [
  'a',
  ' ',
  '  ',
  '    ',
  ':',
  ': ',
  '\n',
  '\n  ',
  '\n    ',
  '"',
  "'",
  '#',
  ' # ',
  '-',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '|',
  '>',
  '\t',
  '\r\n',
  '&a',
  '*a',
  '!x',
  '? ',
  '---',
  '...',
  '%',
  '\nx',
  '\n  y',
  '\n  z:\n    run: x',
  '\nname: y\n',
  '\ntasks:\n',
  '\n---\n',
  'tasks:',
  '~',
  '\uFEFF',
  '\0',
  '\u202E',
  '\uD800',
  '\u2028',
  '<<: ',
  'run: x\n',
  '\n}',
  '\n  ]',
  '\n#x\n',
] as const;

export interface Edit {
  /** From 0 to 1: where in the text. */
  readonly at: number;
  readonly removed: number;
  readonly typed: string;
  /** Whole lines are removed, or typed where a line starts. */
  readonly isOfLines: boolean;
}

export const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(4), fc.nat(60)),
  typed: fc.oneof(
    fc.constant(''),
    fc.constantFrom(...TYPED),
    task,
    fc.constantFrom(...HEADS).map((head) => `${head}\n`),
  ),
  isOfLines: fc.boolean(),
});

export function edited(text: string, { at, removed, typed, isOfLines }: Edit): string {
  let start = Math.floor(at * text.length);
  let end = Math.min(text.length, start + removed);
  if (isOfLines) {
    start = text.lastIndexOf('\n', start - 1) + 1;
    if (removed > 0) end = Math.max(start, text.indexOf('\n', Math.max(0, end - 1)) + 1);
    else end = start;
  }
  return text.slice(0, start) + typed + text.slice(end);
}
