import { expect, test } from 'vitest';
import { decide } from '../../../server/scheduler/decide.ts';
import { explain } from '../../../server/scheduler/predicate/explain.ts';
import { checkStory } from '../../support/board-story.ts';
import { AT, boardOf } from '../../support/snapshots.ts';

/** What is said of a run that can never go on. */
function check(name: string, text: string, expected: string): void {
  test(name, () => {
    const finish = decide(boardOf(text), AT).find(({ kind }) => kind === 'finish');
    const stuck = finish?.kind === 'finish' ? finish.stuck : [];
    const said = stuck.map(({ task, reasons }) => `${task} ${reasons.map(explain).join('; ')}`);
    expect(said.join(', ')).toBe(expected);
  });
}

check(
  'a cycle is named',
  'a: needs b\nb: needs a\nc: needs b',
  'a can never start: it is in a dependency cycle (a → b → a), b can never start: it is in a dependency cycle (a → b → a)',
);
check(
  'a task that needs itself is on a cycle',
  'a: needs a',
  'a can never start: it is in a dependency cycle (a → a)',
);
check(
  'a cycle of mere order is one too',
  'a: after b\nb: needs a',
  'a can never start: it is in a dependency cycle (a → b → a), b can never start: it is in a dependency cycle (a → b → a)',
);
check(
  'what is missing is named, and who waits for that is not',
  'a: needs nobody\nb: needs a',
  'a can never start: it depends on nobody, which does not exist',
);
check(
  'what is too much is named',
  'run only-run: limits db:1\na: takes db:2\nb: after a',
  'a can never start: it needs 2 of db, and there are 1',
);
check(
  'all ways to be stuck are named together',
  'run only-run: limits db:1\na: takes db:2\nb: takes gpu:1\nc: needs nobody\nd: on h1\ne: starts claude',
  'a can never start: it needs 2 of db, and there are 1, b can never start: it needs gpu, and no limit has that name, c can never start: it depends on nobody, which does not exist, d can never start: h1 is not among your hosts, e can never start: there is no agent claude',
);

/** Boards that look stuck and are not. */
function checkGoesOn(name: string, text: string): void {
  check(name, text, '');
}

checkGoesOn('a run with a task of a person waits for them', 'a: needs b\nb: needs a\nc: person');
checkGoesOn('a run with a task that anybody may take waits', 'a: needs a\nc: anyone');
checkGoesOn('a run with a task of an agent waits, whoever is here', 'a: needs a\nc: agent');
checkGoesOn('a task in review is no deadlock', 'a: needs b\nb: person, running, by ann');
checkGoesOn('a run that a person has to look at waits for them', 'a: needs b\nb: attention');
checkGoesOn('a run with a paused task waits for its pause to end', 'a: needs b\nb: paused');
checkGoesOn('a paused board is no deadlock', 'board paused\na');
checkGoesOn('a folder that is not trusted is no deadlock', 'board untrusted\na');
checkGoesOn('a task that is held elsewhere is waited for', 'a: needs b\nb: running\nc: needs c');
checkGoesOn(
  'files that a person is editing are waited for',
  'person ann: writes x, unsaved\na: writes x\nb: needs b',
);
checkGoesOn(
  'files that another run writes are waited for',
  'run older-run\na: writes x, running\nrun newer-run\nb: writes x\nc: needs c',
);
checkGoesOn('a host that is away is waited for', 'host h1: unreachable\na: on h1\nb: needs b');
checkGoesOn(
  'a run that nobody carries on is left as it is',
  'run only-run: interrupted\na: needs a',
);

checkStory(
  'a run is not ended while a task waits for its backoff',
  'a: retries 2, running\nb: needs b',
  `a fails
   +1s → claim a
   a completes → finish deadlocked`,
);
checkStory(
  'a run is not ended while an agent cools down',
  'agent claude\na: starts claude\nb: needs b',
  `begin → claim a
   a is rate-limited
   +1m → claim a`,
);
checkStory(
  'a run is not ended while a lost attempt may be at work',
  'a: running\nb: needs b',
  `a is lost
   +60m
   leftover a gone → claim a`,
);
checkStory(
  'a run with a paused task is not ended after its plan was revised',
  'a: paused\nb: needs a',
  `revise only-run: a | b: needs a
   resume a → claim a`,
);
checkStory(
  'whatever can run does so before a run ends as stuck',
  'a: needs b\nb: needs a\nc\nd: needs c',
  `begin → claim c
   c completes → claim d
   d completes → finish deadlocked`,
);
checkStory(
  'a run whose cycle was broken by a person goes on',
  'a: needs b\nb: after a\nc: running',
  'cancel a → claim b',
);
checkStory(
  'a cycle that has been broken keeps nobody any more, and nobody says so',
  'a: after b, cancelled\nb: after a c\nc: running',
  `why b → Waits for c. It goes on when that has ended.
   c completes → claim b`,
);
checkStory(
  'one stuck run does not end another',
  'run older-run\na: needs a\nrun newer-run\nb',
  `begin → claim newer-run/b, finish older-run/deadlocked
   b completes → finish newer-run/completed`,
);
checkStory(
  'a task of ours that no place can do ends its run as stuck',
  'a: capable gpu\nb',
  `begin → claim b
   b completes → finish deadlocked`,
);
checkStory(
  'a task that none of its hosts can do ends its run as stuck',
  'host h1: can web\na: on h1, capable gpu\nb',
  `begin → claim b
   b completes → finish deadlocked`,
);
