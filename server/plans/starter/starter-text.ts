import { stringify } from 'yaml';
import type { StarterDraft, StarterTask } from './starter.ts';

/** A first plan, ready to be written. */
export interface StarterText {
  readonly text: string;
  /** The line of the first task, from zero; its id begins behind two blanks. */
  readonly line: number;
}

const WORDS = [
  'Interlock runs at once what safely can run at once.',
  '',
  '  depends_on  what has to complete before this one starts',
  '  reads       the files that it looks at',
  '  writes      the files that it changes: two tasks that write',
  '              the same ones never run at the same time',
  '',
  'Hover over a key to see what it means. "Run All" in the Interlock',
  'view runs the plan, and so does "interlock run" in a terminal.',
];

/** Every line of it can be changed by somebody who has never seen a plan. */
export function starterText({ source, tasks, notes }: StarterDraft): StarterText {
  const origin =
    source === undefined ? 'Two small tasks to begin with.' : `A beginning, made from ${source}.`;
  const head = ['version: 1', '', ...commented([origin, ...WORDS]), 'tasks:'];
  const body = tasks.flatMap((task, index) => [...(index === 0 ? [] : ['']), ...linesOf(task)]);
  const foot = notes.length === 0 ? [] : ['', ...commented(notes)];
  return {
    text: `${[...head, ...body, ...foot].join('\n')}\n`,
    line: head.length + (tasks[0]?.comments?.length ?? 0),
  };
}

/** Of more than a few nobody reads the names. */
export function someOf(names: readonly string[]): string {
  const some = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `  ${some} and ${names.length - NAMED} more` : `  ${some}`;
}

const NAMED = 12;

function linesOf(task: StarterTask): readonly string[] {
  const { id, comments = [], dependsOn = [], run, cwd = '', reads = [], writes = [] } = task;
  const keys = [
    ...(dependsOn.length > 0 ? [`depends_on: ${listOf(dependsOn)}`] : []),
    `run: ${valueOf(run)}`,
    ...(cwd === '' ? [] : [`cwd: ${valueOf(cwd)}`]),
    ...(reads.length > 0 ? [`reads: ${listOf(reads)}`] : []),
    ...(writes.length > 0 ? [`writes: ${listOf(writes)}`] : []),
  ];
  const above = commented(comments).map((line) => `  ${line}`);
  return [...above, `  ${valueOf(id)}:`, ...keys.map((line) => `    ${line}`)];
}

/** What comes from a file of somebody stays in its comment. */
function commented(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line === '' ? '#' : `# ${line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')}`,
  );
}

function valueOf(text: string): string {
  return stringify(text, { lineWidth: 0, blockQuote: false }).trimEnd();
}

function listOf(texts: readonly string[]): string {
  const options = { lineWidth: 0, collectionStyle: 'flow', flowCollectionPadding: false } as const;
  return stringify([...texts], options).trimEnd();
}
