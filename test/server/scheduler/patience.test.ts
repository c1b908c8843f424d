import { expect, test } from 'vitest';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { Play } from '../../support/board-play.ts';
import { play, tell } from '../../support/board-script.ts';

/** The tasks in the order in which they were claimed. */
function started({ events }: Play): readonly string[] {
  return events.flatMap((event) =>
    event.kind === 'taskMoved' && event.event.kind === 'taskClaimed' ? [event.task] : [],
  );
}

/** Ends whoever has been at work longest, every so often, and says as how manieth `task` starts. */
function placeOf(task: string, text: readonly string[], everyMs: number): number {
  const on = new Play(text.join('\n'));
  on.turns();
  for (let count = 0; count < 50 && !started(on).includes(task); count += 1) {
    on.wait(everyMs);
    on.turns();
    const [first] = on.board.claims.pushed;
    if (first === undefined) break;
    play(on, `runner/local completes ${first.entry.id}`);
    on.turns();
  }
  return started(on).indexOf(task) + 1;
}

const many = (count: number, lineOf: (number: string) => string): readonly string[] =>
  Array.from({ length: count }, (_, number) => lineOf(String(number).padStart(2, '0')));

/** One after the other, all in one folder. */
function strand(letter: string): readonly string[] {
  return Array.from({ length: 40 }, (_, number) => {
    const needs = number === 0 ? 'running' : `needs ${letter}${number - 1}`;
    return `${letter}${number}: writes src/${letter}${number}, without lease, expects 60s, ${needs}`;
  });
}

const QUARTER = 15 * 60_000;

test('whoever needs much starts, though others take long and never end together', () => {
  const small = many(60, (number) => `b${number}: takes db:1, without lease`);
  const text = ['run only-run: parallel 2, limits db:2', 'b: takes db:1, running, without lease'];
  const place = placeOf('all', [...text, 'all: takes db:2, without lease', ...small], QUARTER);
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(10);
});

test('so does whoever writes what each of them writes a part of', () => {
  const small = many(60, (number) => `b${number}: writes src/${number}, without lease`);
  const text = ['run only-run: parallel 2', 'b: writes src/b, running, without lease'];
  const place = placeOf('all', [...text, 'all: writes src/**, without lease', ...small], QUARTER);
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(10);
});

test('so does it where those that come after it go first in the order', () => {
  const all = 'all: writes src/**, without lease, expects 1s';
  const text = ['run only-run: parallel 2', ...strand('a'), ...strand('b'), all];
  const place = placeOf('all', text, 30_000);
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(10);
});

test('what a busy host keeps waiting keeps nothing of the board free', () => {
  const text = [
    'host h: limits parallel:1',
    'run only-run: parallel 9, limits db:2',
    'long: on h, running, without lease, expects 600m',
    'g: running, without lease',
    'x: on h, takes db:2, without lease, expects 60s',
    'y: takes db:1, without lease, expects 30s, needs g',
  ].join('\n');
  expect(tell(text, '+200s; runner/local completes g; rest')).toBe('claim y');
});

test.for([10, 63, 64, 200])('%d tasks at the files of a person hide nobody', (count) => {
  const atFiles = many(count, (number) => `a${number}: writes src/${number}, without lease`);
  const small = many(60, (number) => `b${number}: takes db:1, without lease, needs gate`);
  const on = new Play(
    [
      'person ann: writes src/**, unsaved',
      'run only-run: parallel 4, limits db:2',
      ...atFiles,
      'first: takes db:1, running, without lease',
      'second: takes db:1, running, without lease',
      'gate: running, without lease',
      'z-all: takes db:2, without lease',
      ...small,
    ].join('\n'),
  );
  on.wait(60_000);
  play(on, 'runner/local completes gate');
  on.wait(65_000);
  on.turns();
  for (const task of ['first', 'second']) play(on, `runner/local completes ${task}; rest`);
  expect(started(on)[0]).toBe('z-all');
});

test('who has waited longest still has when the plan is edited', () => {
  const tasks =
    'gate: running | b: takes db:2, needs gate | a: takes db:2 | c: takes db:1, running';
  const on = new Play(['run only-run: limits db:2', ...tasks.split(' | ')].join('\n'));
  on.wait(100_000);
  play(on, 'runner/local completes gate');
  expect(on.entry('a').lane?.oldest?.id).toBe('a');
  play(on, `revise only-run: ${tasks} | d: after c`);
  expect(on.entry('a').lane?.oldest?.id).toBe('a');
  expect(on.entry('a').newer?.id).toBe('b');
});

test('who has waited longest still has when its class changes', () => {
  const on = new Play(
    [
      'run only-run: limits db:2',
      'g: running, takes db:2',
      'old: takes db:2',
      'fresh: takes db:2, needs g',
      'boss: needs old, priority high',
      'gate: needs boss',
    ].join('\n'),
  );
  on.wait(1000);
  play(on, 'g completes; cancel boss');
  expect(on.entry('old').lane?.oldest?.id).toBe('old');
  expect(on.entry('fresh').older?.id).toBe('old');
});

test('between its two limits a task has time to end, even when load falls late', () => {
  const text = 'a: running, without lease, soft timeout 60s, timeout 62s';
  expect(tell(text, '+200s; rest')).toBe('stop a');
  expect(tell(text, '+200s; rest; +1999ms; rest')).toBe('');
  expect(tell(text, '+200s; rest; +2s; rest')).toBe('kill a');
});

/** What starts, of all that could. */
function check(name: string, [text, script]: readonly [string, string], expected: string): void {
  test(name, () => expect(tell(text, script)).toBe(expected));
}

check(
  'who was never measured does not slip in before one that has waited too long',
  [
    'run only-run: limits db:2\nh: takes db:1, running, without lease, expects 300s\nall: takes db:2\ngate: running, without lease\nsmall: takes db:1, needs gate',
    '+130s; gate completes; rest',
  ],
  '',
);
check(
  'who is at its end before a start that is kept leaves as much for it',
  [
    'run only-run: limits db:4\nh: takes db:2, running, expects 100s\nbig: priority critical, takes db:3\nshort: priority high, takes db:1, expects 10s\nlong: takes db:1, expects 500s',
    'decide',
  ],
  'claim short, claim long',
);
check(
  'between two of one run that want a place the order decides, however long one has waited',
  [
    'run more-run: parallel 9\nx: person\nrun only-run: parallel 2, limits db:9\nh: running, without lease\ngate: running, without lease\nz: takes db:1\na: needs gate, expects 60s',
    '+130s; gate completes; rest',
  ],
  'claim only-run/a',
);

test('a late holder is given up when it is far too late', () => {
  const text = 'run only-run: limits db:2\nh: takes db:1, running, without lease\nall: takes db:2';
  const on = new Play(text);
  const startedAt = on.now;
  play(on, '+130s; rest');
  expect(nextDueAt(on.board)).toBe(startedAt + 600_000);
});
