import { expect, test } from 'vitest';
import { readBoardConfig } from '../../../../server/plans/kanban/board-config.ts';
import { editFrontmatter } from '../../../../server/plans/kanban/edit-frontmatter.ts';
import { type BoardMove, type BoardNews, moveOf } from '../../../../server/plans/kanban/moves.ts';
import { readTaskFile, type TaskFile } from '../../../../server/plans/kanban/task-file.ts';
import { CONFIG, taskText } from '../../../support/kanban-board.ts';

const AT = Date.parse('2026-03-01T12:00:00Z');

interface Case {
  readonly status?: string;
  readonly more?: string;
  readonly config?: string;
  readonly others?: readonly string[];
  readonly news: 'held' | 'done' | 'free';
}

/** The lines of the file that change, without the time of the change, and what is said of it. */
function check(
  name: string,
  { status, more, config = CONFIG, others = [], news }: Case,
  expected: readonly string[],
): void {
  test(name, () => {
    const text = taskText(1, more, status);
    const task = readTaskFile('001-a.md', text);
    const said: BoardNews = { kind: news, by: 'alice', at: AT };
    const files = (): readonly TaskFile[] => [
      task,
      ...others.map((other, at) => readTaskFile(`${at}.md`, other)),
    ];
    const move = moveOf(task, said, { config: readBoardConfig(config), nowMs: AT, files });
    expect(saidOf(text, move)).toStrictEqual(expected);
  });
}

function saidOf(text: string, move: BoardMove): readonly string[] {
  if (move.kind === 'refused') return [move.message];
  const result = editFrontmatter(text, move.changes);
  const after = result.kind === 'edited' ? result.text : result.message;
  return [...differences(text, after), ...[move.notice ?? []].flat()];
}

function differences(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `-${line}`);
  const added = now.filter((line) => !old.includes(line)).map((line) => `+${line}`);
  return [...gone, ...added]
    .filter((line) => !/^.updated:/.test(line))
    .map((line) => line.replace('2026-03-01T12:00:00.000Z', 'NOW'));
}

const HELD = ['+claimed_by: alice', '+claimed_at: NOW'];
const BOB = 'claimed_by: bob\nclaimed_at: 2026-03-01T11:30:00Z';
const LATE_BOB = 'claimed_by: bob\nclaimed_at: 2026-03-01T10:30:00Z';
const ALICE = 'claimed_by: alice\nclaimed_at: 2026-03-01T11:30:00Z';

check('a claim moves the task to where tasks are worked on', { news: 'held' }, [
  '-status: todo',
  '+status: in-progress',
  ...HELD,
]);
check('leaving the first status is the start', { status: 'backlog', news: 'held' }, [
  '-status: backlog',
  '+status: in-progress',
  '+started: NOW',
  ...HELD,
]);
check(
  'a start is never written over',
  { status: 'backlog', more: 'started: 2026-01-01T00:00:00Z', news: 'held' },
  ['-status: backlog', '+status: in-progress', ...HELD],
);
check('a task that is further stays there', { status: 'review', news: 'held' }, HELD);
check('a claim of somebody else that counts is left alone', { more: BOB, news: 'held' }, [
  'its file says that "bob" has claimed it, and "alice" has it here: the file was left as it is.',
]);
check('a claim that is too old gives way', { status: 'review', more: LATE_BOB, news: 'held' }, [
  '-claimed_by: bob',
  '-claimed_at: 2026-03-01T10:30:00Z',
  ...HELD,
]);
check('a claim without a time never gets old', { more: 'claimed_by: bob', news: 'held' }, [
  'its file says that "bob" has claimed it, and "alice" has it here: the file was left as it is.',
]);
check(
  'a claim that goes on is not written again at once',
  { status: 'in-progress', more: ALICE.replace('11:30', '11:45'), news: 'held' },
  [],
);
check(
  'a claim that goes on is renewed before it is too old',
  { status: 'in-progress', more: ALICE, news: 'held' },
  ['-claimed_at: 2026-03-01T11:30:00Z', '+claimed_at: NOW'],
);
check(
  'done is the status before the archive, with its time, and nobody holds it',
  { status: 'in-progress', more: ALICE, news: 'done' },
  [
    '-status: in-progress',
    '-claimed_by: alice',
    '-claimed_at: 2026-03-01T11:30:00Z',
    '+status: done',
    '+started: NOW',
    '+completed: NOW',
  ],
);
check(
  'what is done stays done',
  { status: 'archived', more: 'completed: 2026-01-01T00:00:00Z', news: 'done' },
  [],
);
check(
  'whoever gives it back holds it no more, and it stays where it is',
  { status: 'in-progress', more: ALICE, news: 'free' },
  ['-claimed_by: alice', '-claimed_at: 2026-03-01T11:30:00Z'],
);
check('nobody gives back what somebody else has claimed', { more: BOB, news: 'free' }, []);
check(
  'what is taken up again is not completed any more',
  {
    status: 'done',
    more: 'started: 2026-01-01T00:00:00Z\ncompleted: 2026-01-02T00:00:00Z',
    news: 'held',
  },
  ['-status: done', '-completed: 2026-01-02T00:00:00Z', '+status: in-progress', ...HELD],
);
check(
  'a full status takes nobody more',
  {
    config: `${CONFIG}wip_limits: { in-progress: 1 }\n`,
    others: [taskText(2, '', 'in-progress')],
    news: 'held',
  },
  [...HELD, 'its status in the file stays, because "in-progress" takes 1 at most on this board.'],
);
check(
  'a full class takes nobody more, and what is done does not count',
  {
    more: 'class: expedite',
    others: [taskText(2, 'class: expedite'), taskText(3, 'class: expedite', 'done')],
    news: 'held',
  },
  [
    ...HELD,
    'its status in the file stays, because the class "expedite" takes 1 at most on this board.',
  ],
);
check(
  'a class may pass by the limits of statuses',
  {
    more: 'class: expedite',
    config: `${CONFIG}wip_limits: { in-progress: 1 }\n`,
    others: [taskText(2, '', 'in-progress'), taskText(3, 'class: expedite', 'done')],
    news: 'held',
  },
  ['-status: todo', '+status: in-progress', ...HELD],
);
check(
  'a board of three statuses has one to work in',
  {
    status: 'todo',
    config: CONFIG.replace(/statuses: .*\n/, 'statuses: [todo, doing, done]\n'),
    news: 'held',
  },
  ['-status: todo', '+status: doing', '+started: NOW', ...HELD],
);
