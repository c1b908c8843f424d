import { expect, test } from 'vitest';
import { type Instant, instant } from '../../../server/domain/time.ts';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { answerOwn } from '../../../server/scheduler/requests/own.ts';
import { AT, workerId } from '../../support/snapshots.ts';

const R = 'runner/local';

check('paths that nobody has are owned', ['a', 'ann owns src/**'], 'owned');
check(
  'paths that a person owns are not given to another',
  ['a', 'ann owns src/**; bob owns src/x'],
  'held, ann ask',
);
check(
  'a folder is owned with all that is in it, without a slash too',
  ['a', 'ann owns docs; bob owns docs/guide.md'],
  'held, ann ask',
);
check(
  'nor is a folder given away of which another owns a part',
  ['a', 'ann owns lib/v1.2/notes.md; bob owns lib/v1.2'],
  'held, ann ask',
);
check('other paths are', ['a', 'ann owns src/**; bob owns docs/x'], 'owned');
check('a person may own more of what is theirs', ['a', 'ann owns src/**; ann owns src/x'], 'owned');
check(
  'paths that a task writes are not given to anybody',
  ['a: writes src/x, running', 'ann owns src/**'],
  `held, ${R} wait`,
);
check(
  'paths that a task reads are, with a warning',
  ['a: reads src/x, running', 'ann owns src/**'],
  `owned, ${R} warn`,
);
check('two may read the same', ['a: reads src/x, running', 'ann owns reads src/**'], 'owned');
check(
  'whoever reads what a task writes is warned',
  ['a: writes src/x, running', 'ann owns reads src/**'],
  `owned, ${R} warn`,
);
check(
  'paths that a task will write are given away',
  ['a: writes src/x', 'ann owns src/x'],
  'owned',
);
check(
  'paths of a task that ended are given away',
  ['a: writes src/x', `decide; ${R} completes a; ann owns src/x`],
  'owned',
);
check(
  'paths of a leftover are not',
  ['a: agent, lease 10s, writes src/x', 'bob claims a; bob renews a; +10s; rest; ann owns src/x'],
  'held, bob wait',
);
check(
  'what a worker claimed is its own',
  ['a: agent, writes src/x', 'ann claims a; ann owns src/x'],
  'owned',
);
check(
  'a buffer with changes is owned, whoever else is there',
  ['a: writes src/x, running', 'ann owns src/x unsaved'],
  `owned, ${R} wait`,
);
check(
  'so are two of them',
  ['a', 'ann owns src/x unsaved; bob owns src/x unsaved'],
  'owned, ann ask',
);

check(
  'a task does not write what a person owns',
  ['a: writes src/x', 'ann owns src/**; decide'],
  '',
);
check('nor what a person is editing', ['a: writes src/x', 'ann owns src/x unsaved; decide'], '');
check(
  'it says who is in the way',
  ['worker bob\na: agent, writes src/x', 'ann owns src/x unsaved; bob claims a'],
  'blocked: waits for ann, who is editing src/x',
);
check(
  'and whether that is a buffer',
  ['worker bob\na: agent, writes src/x', 'ann owns src/x; bob claims a'],
  'blocked: waits for ann, who has taken src/x',
);
check(
  'it writes when they are freed',
  ['a: writes src/x', 'ann owns src/x; decide; ann frees; decide'],
  'claim a',
);
check(
  'a task that reads what a person is editing does not wait',
  ['a: reads src/x', 'ann owns src/x unsaved; decide'],
  'claim a',
);
check(
  'a plan that only warns lets it write',
  ['run the-only-run: hazards human:warn\na: writes src/x', 'ann owns src/x unsaved; decide'],
  'claim a',
);
check(
  'a person’s own task may write there',
  ['a: agent, writes src/x', 'ann owns src/x unsaved; ann claims a'],
  'claimed a',
);
check(
  'the same name owns other paths from then on',
  ['a: writes src/x', 'ann owns src/x; ann owns docs/x; decide'],
  'claim a',
);
check('paths are freed once', ['a', 'ann owns src/x; ann frees; ann frees'], 'refused');

check(
  'ownership goes on to its last millisecond',
  ['a: writes src/x', 'ann owns src/x for 10s; +9999ms; decide'],
  '',
);
check(
  'it ends at its time',
  ['a: writes src/x', 'ann owns src/x for 10s; +10s; decide'],
  'claim a',
);
check(
  'others may have the paths then, though nobody has looked',
  ['a', 'ann owns src/x for 10s; +10s; bob owns src/x'],
  'owned',
);
check(
  'it is longer when it is asked for again',
  ['a: writes src/x', 'ann owns src/x for 10s; +9s; ann owns src/x for 10s; +9s; decide'],
  '',
);
check(
  'it is shorter when that is asked for',
  ['a: writes src/x', 'ann owns src/x for 10s; ann owns src/x for 1s; +1s; decide'],
  'claim a',
);
check(
  'what has ended is not freed',
  ['a: writes src/x', 'ann owns src/x for 10s; +10s; decide; ann frees'],
  'refused',
);

const WROTE = `decide; ${R} starts a; undeclared a docs/x`;
check(
  'what was written without having been declared is owned',
  ['a: writes src/x\nb: needs c, writes docs/x\nc', `${WROTE}; ${R} completes c; decide`],
  '',
);
check(
  'until its task ends',
  [
    'a: writes src/x\nb: needs c, writes docs/x\nc',
    `${WROTE}; ${R} completes c; decide; ${R} completes a; decide`,
  ],
  'claim b',
);
check(
  'by a task that had declared nothing too',
  ['a\nb: needs c, writes docs/x\nc', `${WROTE}; ${R} completes c; decide`],
  '',
);
check(
  'and nobody else owns it',
  ['a: writes src/x', `${WROTE}; ann owns docs/**`],
  `held, ${R} wait`,
);
check(
  'a path is what it is, whatever is in it',
  ['a: writes src/x', `decide; ${R} starts a; undeclared a docs/*; ann owns docs/y`],
  'owned',
);
check(
  'what nobody holds has written nothing',
  ['a: writes src/x', 'undeclared a docs/x'],
  'refused',
);
check(
  'what is written twice is owned once',
  ['a: writes src/x', `${WROTE}; undeclared a docs/x; ann owns docs/x`],
  `held, ${R} wait`,
);

test("a path that a person says they wrote is no longer the task's", () => {
  const on = new Play('a: writes src/x\nb: writes docs/x, after a');
  play(on, `decide; ${R} starts a; undeclared a docs/x`);
  expect(play(on, 'ann owns docs/x')).toBe(`held, ${R} wait`);
  const dismiss = {
    kind: 'dismiss-writes',
    tree: '/project',
    paths: ['docs/x', '../out'],
    of: on.about('a'),
    isForAll: false,
  } as const;
  expect(on.control(dismiss)).toMatchObject({ events: [{ paths: ['docs/x'] }] });
  expect(on.control(dismiss)).toMatchObject({ events: [] });
  expect(play(on, 'ann owns docs/x')).toBe('owned');
});

test('an undeclared write is that of its term', () => {
  const on = new Play('a: agent, writes src/x');
  play(on, 'ann claims a; ann releases a; bob claims a');
  const which = { ...on.about('a'), path: 'docs/x', at: on.now };
  const term = on.entry('a').claim?.holder.term ?? 0;
  expect(on.apply({ kind: 'undeclaredWritten', ...which, term: term - 1 })).toBe('refused');
  expect(on.apply({ kind: 'undeclaredWritten', ...which, term })).toBe('moved');
});

test('an undeclared write survives the revision of its run', () => {
  const on = new Play('a: agent, writes src/x');
  play(on, 'ann claims a; undeclared a docs/x; revise only-run: a: agent, writes src/y');
  expect(play(on, 'bob owns docs/x')).toBe('held, ann wait');
  expect(play(on, 'bob owns src/x')).toBe('held, ann wait');
});

test('the end of an ownership is when something is due', () => {
  const on = new Play('a: writes src/x');
  play(on, 'ann owns src/x for 10s; rest');
  expect(nextDueAt(on.board)).toBe(AT + 10_000);
  play(on, '+10s; rest');
  expect(on.board.owners.people.size).toBe(0);
});

test('what is owned has no more ends than owners', () => {
  const on = new Play('a: writes src/x');
  for (let count = 0; count < 10; count += 1) play(on, 'ann owns src/x for 10s');
  play(on, 'ann frees; pause a; rest');
  expect(nextDueAt(on.board)).toBeUndefined();
});

test.for(['1.5', '1e300', '0'])('%s is no time to own paths until', (text) => {
  const on = new Play('a: writes x');
  const until: Instant = JSON.parse(text);
  const paths = { tree: '/folder', reads: [], writes: ['x'], isUnsaved: true };
  expect(on.own({ ...paths, id: 'ann', worker: workerId('ann'), until }).kind).toBe('refused');
});

test('nobody owns paths in the name of another, or of a runner', () => {
  const on = new Play('a: writes x');
  const request = { id: 'ann', tree: '/folder', reads: [], writes: ['x'], isUnsaved: false };
  expect(on.own({ ...request, worker: workerId('ann') }).kind).toBe('accepted');
  expect(on.own({ ...request, worker: workerId('eve') }).kind).toBe('refused');
  expect(on.own({ ...request, id: 'b', worker: workerId('runner/local') }).kind).toBe('refused');
});

test('whose a path was is known for ten seconds after they let go of it', () => {
  const on = new Play('a: writes src/x');
  const whose = (path: string, from: number): string | undefined =>
    on.board.owners.personAt({
      tree: '/folder',
      path,
      from: instant(AT + from),
      seenAt: instant(AT + from + 1),
    });
  play(on, '+1s; ann owns docs/** for 5s; +1s; bob owns lib/x; +1s; bob frees; +1s; rest');
  const times = [500, 700, 1500, 2500, 3500, 6500];
  expect(times.map((from) => whose('docs/y', from))).toEqual([
    undefined,
    'ann',
    'ann',
    'ann',
    'ann',
    undefined,
  ]);
  expect(times.map((from) => whose('lib/x', from))).toEqual([
    undefined,
    undefined,
    undefined,
    'bob',
    undefined,
    undefined,
  ]);
  play(on, '+3s; rest');
  expect([whose('docs/y', 2500), whose('docs/y', 6500)]).toEqual(['ann', undefined]);
  play(on, '+20s; bob owns lib/x; bob frees');
  expect(on.board.owners.past.all).toHaveLength(1);
});

test('more patterns than can be compared are refused, with the limit', () => {
  const { board } = new Play('a');
  const request = {
    id: 'ann',
    worker: workerId('ann'),
    tree: '/folder',
    reads: [],
    writes: Array.from({ length: 1001 }, (_, n) => `**/*${n}*`),
    isUnsaved: false,
  };
  expect(answerOwn(board, request, instant(AT))).toStrictEqual({
    kind: 'refused',
    what: '1001 patterns',
    message: expect.stringContaining('A list has at most 1000 path patterns'),
  });
});
