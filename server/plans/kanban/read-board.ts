import { didYouMean } from '../closest.ts';
import { inShort } from '../../domain/display-text.ts';
import type { ParsedPlan, PlanTask, Problem } from '../plan.ts';
import type { PlanSource } from '../plan-source.ts';
import { SLICE_LETTERS } from '../slices.ts';
import { ARCHIVED, type BoardConfig, isTerminal, readBoardConfig } from './board-config.ts';
import { classOfPriority } from './board-priority.ts';
import { numberInName, readTaskFile, type TaskFile } from './task-file.ts';

const TASK_LIMIT = 20_000;
const NO_TASKS: Problem = {
  code: 'no-tasks',
  severity: 'warning',
  message: 'This board has no tasks yet.',
  range: { start: 0, end: 0 },
  related: [],
};

/** The task files that were read, by their texts: only what has changed is read again. */
export class BoardMemory {
  #files = new Map<string, { readonly text: string; readonly read: TaskFile }>();

  *reading(
    source: PlanSource,
    texts: ReadonlyMap<string, string>,
  ): Generator<void, readonly TaskFile[]> {
    let letters = 0;
    const files = new Map<string, { readonly text: string; readonly read: TaskFile }>();
    for (const file of source.files) {
      const text = texts.get(file);
      if (text === undefined || file === source.path) continue;
      const known = this.#files.get(file);
      if (known?.text === text) {
        files.set(file, known);
        continue;
      }
      files.set(file, { text, read: readTaskFile(file, text) });
      letters += text.length;
      if (letters < SLICE_LETTERS) continue;
      letters = 0;
      yield;
    }
    this.#files = files;
    return Array.from(files.values(), ({ read }) => read);
  }
}

/** A board of kanban-md as a plan, in slices. Never throws; one file that cannot be read stops no other. */
export function* readingBoard(
  source: PlanSource,
  texts: ReadonlyMap<string, string>,
  memory: BoardMemory,
): Generator<void, ParsedPlan> {
  const config = readBoardConfig(texts.get(source.path) ?? '');
  const files = yield* memory.reading(source, texts);
  const kept = keepers(files);
  const known = new Map([...kept].slice(0, TASK_LIMIT));
  const done = new Set<string>();
  for (const file of known.values()) if (isDone(file, config)) done.add(String(file.id));
  const tasks = [...known.values()].flatMap((file) => boardTask(file, { config, done }) ?? []);
  const problems = [
    ...config.problems,
    ...(files.length === 0 ? [NO_TASKS] : []),
    ...(kept.size > TASK_LIMIT ? [tooMany()] : []),
    ...files.flatMap((file) => fileProblems(file, { config, known })),
  ];
  const hosts = tasks.flatMap(({ hostMentions = [] }) => hostMentions);
  const { name } = config;
  return { name, parallel: undefined, limits: {}, hazards: {}, hosts, tasks, problems };
}

/** Of two files with one number it is whose name begins with it, else the first. */
function keepers(files: readonly TaskFile[]): ReadonlyMap<number, TaskFile> {
  const kept = new Map<number, TaskFile>();
  for (const file of files) {
    if (file.id === undefined) continue;
    const other = kept.get(file.id);
    const isNamedSo = numberInName(file.file) === file.id;
    if (other === undefined || (isNamedSo && numberInName(other.file) !== file.id))
      kept.set(file.id, file);
  }
  return kept;
}

interface Board {
  readonly config: BoardConfig;
  readonly known: ReadonlyMap<number, TaskFile>;
}

function boardTask(
  file: TaskFile,
  { config, done }: { readonly config: BoardConfig; readonly done: ReadonlySet<string> },
): PlanTask | undefined {
  const { task } = file;
  if (task === undefined) return undefined;
  // Nothing of it happens any more: it waits for nobody, and collides with nobody.
  if (done.has(task.id))
    return {
      ...task,
      dependsOn: [],
      after: [],
      reads: [],
      writes: [],
      doneAs: file.status?.text ?? '',
    };
  const priority = file.priority && classOfPriority(file.priority.text, config);
  const obstacle = config.refusal ?? obstacleOf(file);
  const claim = claimOf(file, config);
  return {
    ...task,
    dependsOn: task.dependsOn.filter((id) => !done.has(id)),
    after: task.after.filter((id) => !done.has(id)),
    asks: priority === undefined ? task.asks : { ...task.asks, priority },
    ...(obstacle !== undefined && { obstacle }),
    ...(claim !== undefined && { claimInPlan: claim }),
  };
}

function isDone({ status }: TaskFile, config: BoardConfig): boolean {
  return status !== undefined && config.refusal === undefined && isTerminal(config, status.text);
}

function obstacleOf({ isBlocked, blockReason }: TaskFile): string | undefined {
  if (!isBlocked) return undefined;
  return blockReason === ''
    ? 'It is blocked on its board.'
    : `It is blocked on its board: ${blockReason}`;
}

function claimOf(
  { claimedBy, claimedAt }: TaskFile,
  { claimTimeoutMs }: BoardConfig,
): PlanTask['claimInPlan'] {
  if (claimedBy === '') return undefined;
  const endsAt =
    claimedAt === undefined || claimTimeoutMs === 0 ? undefined : claimedAt + claimTimeoutMs;
  return {
    by: claimedBy,
    ...(claimedAt !== undefined && { since: claimedAt }),
    ...(endsAt !== undefined && { endsAt }),
  };
}

function fileProblems(file: TaskFile, board: Board): readonly Problem[] {
  const keeper = file.id === undefined ? undefined : board.known.get(file.id);
  if (keeper !== undefined && keeper !== file) return [...file.problems, duplicate(file, keeper)];
  return [
    ...file.problems,
    ...againstConfig(file, board.config),
    ...parentProblems(file, board.known),
  ];
}

function duplicate(file: TaskFile, keeper: TaskFile): Problem {
  const start = { file: file.file, start: 0, end: 0 };
  return {
    code: 'duplicate-id',
    severity: 'error',
    message: `Task ${file.id} is in ${nameOf(keeper.file)} already. Give this one another number.`,
    range: file.task?.idRange ?? start,
    related:
      keeper.task === undefined
        ? []
        : [{ message: 'It is here first.', range: keeper.task.idRange }],
  };
}

function againstConfig(
  { status, priority, className }: TaskFile,
  { statuses, priorities, classes, refusal }: BoardConfig,
): readonly Problem[] {
  const problems: Problem[] = [];
  const names = statuses.map(({ name }) => name);
  const say = (severity: Problem['severity'], what: string, { mention, known }: Asked): void => {
    const hint = didYouMean(mention.text, known);
    const message = `There is no ${what} "${mention.text}" on this board.${hint} It has ${inShort(known.join(', '))}.`;
    problems.push({ code: 'wrong-type', severity, message, range: mention.range, related: [] });
  };
  // Nobody can say whether such a task is done.
  if (
    status !== undefined &&
    refusal === undefined &&
    !names.includes(status.text) &&
    status.text !== ARCHIVED
  )
    say('error', 'status', { mention: status, known: names });
  if (priority !== undefined && priorities.length > 0 && !priorities.includes(priority.text))
    if (priority.text !== '') say('warning', 'priority', { mention: priority, known: priorities });
  const classNames = classes.map(({ name }) => name);
  if (className !== undefined && classNames.length > 0 && !classNames.includes(className.text))
    if (className.text !== '') say('warning', 'class', { mention: className, known: classNames });
  return problems;
}

interface Asked {
  readonly mention: NonNullable<TaskFile['status']>;
  readonly known: readonly string[];
}

function parentProblems(
  { id, parent }: TaskFile,
  known: ReadonlyMap<number, TaskFile>,
): readonly Problem[] {
  if (parent === undefined || (parent.id !== id && known.has(parent.id))) return [];
  const message =
    parent.id === id
      ? 'A task is not its own parent.'
      : `There is no task ${parent.id} on this board.`;
  return [{ code: 'unknown-task', severity: 'warning', message, range: parent.range, related: [] }];
}

function tooMany(): Problem {
  const message = `A board has at most ${TASK_LIMIT} tasks; the rest is left out.`;
  return {
    code: 'too-large',
    severity: 'error',
    message,
    range: { start: 0, end: 0 },
    related: [],
  };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
