import { checkLast } from '../../support/board-story.ts';

/** What is decided about tasks that ask for something. */
function check(name: string, text: string, expected: string): void {
  checkLast(name, [text, 'decide'], expected);
}

check('a higher class goes first', 'run the-only-run: parallel 1\na\nb: priority high', 'claim b');
check(
  'what is taken of a limit is not there for others',
  'run the-only-run: limits db:2\na: takes db:1, running\nb: takes db:2\nc: takes db:1',
  'claim c',
);
check(
  'more than there is never starts',
  'run the-only-run: limits db:1\na: takes db:2',
  'finish deadlocked',
);
check('a task runs on the host it names', 'host build-1\na: on build-1', 'claim a on build-1');
check('a host that is away is waited for', 'host build-1: unreachable\na: on build-1', '');
check('a host that nobody has is not', 'a: on build-1', 'finish deadlocked');
check(
  'a host has room for so many',
  'host build-1: limits parallel:1\na: on build-1, running\nb: on build-1',
  '',
);
check(
  'a host may lack what a task needs',
  'host build-1: can gpu\na: on build-1, capable gpu\nb: on build-1, capable tpu',
  'claim a on build-1',
);
check(
  'a free agent is woken for a task that agents take',
  'worker bob: busy\nworker ann: can code\na: agent, capable code',
  'wake ann for a',
);
check('a person is not woken for a task of agents', 'worker ann: person\na: agent', '');
check('an agent that runners start needs to exist', 'a: starts claude', 'finish deadlocked');
check('an agent that exists is started', 'agent claude\na: starts claude', 'claim a');
check(
  'a plan may make readers wait for writers',
  'run the-only-run: hazards read-write:wait\na: reads x\nb: writes x, running',
  '',
);
check(
  'what a person has open and not saved is waited for',
  'person ann: writes x, unsaved\na: writes x\nb: writes y',
  'claim b',
);
check(
  'a working tree of its own collides with nobody',
  'a: writes x, isolated\nb: writes x, running',
  'claim a',
);
check('a task that is paused waits', 'a: paused\nb', 'claim b');
check('a task that needs attention waits', 'a: attention', '');
check('a run that nobody carries on starts nothing', 'run the-only-run: interrupted\na', '');
