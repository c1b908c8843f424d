import { PRIORITIES } from '../../domain/priority.ts';
import { type KeyFacts, keysAt } from '../schema/describe.ts';
import type { WordFacts } from '../schema/facts.ts';
import { ARCHIVED, type BoardConfig, isTerminal } from './board-config.ts';
import { classOfPriority } from './board-priority.ts';
import { BOARD_KEYS, type BoardKey } from './task-file.ts';

type BoardFacts = Pick<KeyFacts, 'kind' | 'summary' | 'example'> &
  Partial<Pick<KeyFacts, 'detail' | 'values' | 'forms'>>;

/** What the frontmatter of a task file may say: the keys of its board, then those of tasks of any plan. */
export function factsOfTaskFile(config: BoardConfig): readonly KeyFacts[] {
  const ofTasks = keysAt(['tasks', '']);
  const own = factsOfBoard(config);
  const names = new Set<string>(BOARD_KEYS);
  return [
    ...BOARD_KEYS.map((name) => keyFacts(name, own[name])),
    ...ofTasks.filter(({ name }) => !names.has(name)),
  ];
}

function keyFacts(name: BoardKey, facts: BoardFacts): KeyFacts {
  const given = { name, detail: '', values: [], forms: ['scalar'] as const, ...facts };
  return { ...given, default: undefined, isLater: false };
}

function factsOfBoard(config: BoardConfig): Readonly<Record<BoardKey, BoardFacts>> {
  const time = { kind: 'text', example: '2026-02-07T10:30:00Z' } as const;
  return {
    id: { kind: 'own-id', summary: 'The number of the task on its board.', example: '1' },
    title: { kind: 'text', summary: 'The task in one line.', example: 'Add the users endpoint' },
    status: {
      kind: 'word',
      summary: 'In which column of its board the task is.',
      detail: 'The columns are in `config.yml`.',
      example: 'todo',
      values: statusWords(config),
    },
    priority: {
      kind: 'word',
      summary: 'Which class the task is served in when not everything can start at once.',
      detail: 'The words are in `config.yml`, from the lowest to the highest.',
      example: 'high',
      values: priorityWords(config),
    },
    created: { ...time, summary: 'When the task was written.' },
    updated: { ...time, summary: 'When the file was changed last.' },
    started: { ...time, summary: 'When somebody began with it.' },
    completed: { ...time, summary: 'When it was done.' },
    assignee: { kind: 'text', summary: 'Who is meant to do it.', example: 'kim' },
    tags: { kind: 'text', summary: 'Words to find it by.', example: '[api]', forms: ['list'] },
    due: { kind: 'text', summary: 'The day by which it is to be done.', example: '2026-02-07' },
    estimate: { kind: 'text', summary: 'How long it may take.', example: '4h' },
    parent: { kind: 'task', summary: 'The task that this one is a part of.', example: '1' },
    depends_on: {
      kind: 'task-ids',
      summary: 'The tasks that must complete first.',
      example: '[1]',
    },
    blocked: {
      kind: 'word',
      summary: 'Whether something is in its way: then it cannot start.',
      example: 'true',
      values: [
        { text: 'true', summary: 'It cannot start.' },
        { text: 'false', summary: 'Nothing is in its way that the board knows of.' },
      ],
    },
    block_reason: { kind: 'text', summary: 'What is in its way.', example: 'waits for a key' },
    claimed_by: { kind: 'text', summary: 'Who has the task.', example: 'kim' },
    claimed_at: { ...time, summary: 'Since when they have it, or when they said so last.' },
    class: {
      kind: 'word',
      summary: 'The class of service, which may have a limit of its own.',
      example: 'standard',
      values: classWords(config),
    },
  };
}

function statusWords(config: BoardConfig): readonly WordFacts[] {
  const names = config.statuses.map(({ name }) => name);
  return [...new Set([...names, ARCHIVED])].map((text) => {
    const isForHolders = config.statuses.some((one) => one.name === text && one.isForHolders);
    if (isTerminal(config, text))
      return { text, summary: 'Nothing is run of such a task, and nobody waits for it.' };
    return {
      text,
      summary: isForHolders
        ? 'A column for tasks that somebody has claimed.'
        : 'A column of this board.',
    };
  });
}

function priorityWords(config: BoardConfig): readonly WordFacts[] {
  return config.priorities.map((text) => {
    const known = classOfPriority(text, config) ?? PRIORITIES[0];
    return { text, summary: `Served as ${known}.` };
  });
}

function classWords({ classes }: BoardConfig): readonly WordFacts[] {
  return classes.map(({ name, limit }) => ({
    text: name,
    summary: limit === 0 ? 'A class without a limit.' : `At most ${limit} of them at once.`,
  }));
}
