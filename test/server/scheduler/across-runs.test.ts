import { checkLast } from '../../support/board-story.ts';

/** Runs of two plans: tasks of the newer one wait for those of the older one, by the name of that run. */
const NEEDS = 'worker ann\nrun older-run\na: agent\nc: agent\nrun newer-run\nb: needs older-run/a';
const AFTER = NEEDS.replace('needs', 'after');

checkLast(
  'a task waits for one of another run to complete, and its own run with it',
  [NEEDS, 'rest; ann claims a; ann starts a; why b'],
  'Waits for older-run/a. It goes on when that has ended.',
);
checkLast(
  'and starts when that has completed',
  [NEEDS, 'rest; ann claims a; ann completes a; rest'],
  'claim newer-run/b, wake ann for older-run/c',
);
checkLast(
  'what another run did counts when that run has ended, too',
  [
    'worker ann\nrun older-run\na: agent\nrun newer-run: parallel 1\nx: running\nb: needs older-run/a',
    'ann claims a; ann completes a; rest; runner/local completes x; rest',
  ],
  'claim newer-run/b',
);
checkLast(
  'what needs a task of another run that failed is skipped, and its run waits for a retry there',
  [NEEDS, 'ann claims a; ann fails a; rest; state b'],
  'skipped because older-run/a',
);
checkLast(
  'a retry in the other run revives it',
  [NEEDS, 'ann claims a; ann fails a; rest; +5s; retry older-run/a; rest'],
  'revive newer-run/b, wake ann for older-run/a',
);
checkLast(
  'a retry of what was skipped is one of what failed in the other run',
  [NEEDS, 'ann claims a; ann fails a; rest; retry newer-run/b; rest; state a'],
  'pending',
);
checkLast(
  'with the last task of the other run its own run has ended, and did not complete',
  [NEEDS, 'ann claims a; ann fails a; ann claims c; rest; ann completes c; rest'],
  'finish older-run/failed, finish newer-run/failed',
);
checkLast(
  'whoever merely comes after it starts all the same',
  [AFTER, 'ann claims a; ann fails a; rest'],
  'claim newer-run/b, wake ann for older-run/c',
);
checkLast(
  'a run that is stopped cancels what others wait for',
  [NEEDS, 'stop older-run; rest'],
  'cancel older-run/a, cancel older-run/c, skip newer-run/b because older-run/a, finish older-run/cancelled, finish newer-run/failed',
);
checkLast(
  'a run that nobody carries on is named',
  [NEEDS, 'interrupt older-run; rest; why b'],
  'Waits for older-run/a (interrupted: older-run/a). Run older-run/a again to carry that on.',
);
checkLast(
  'a task that is taken out of the other plan is waited for in vain',
  [NEEDS, 'revise older-run: c: agent; rest'],
  'skip newer-run/b because older-run/a, wake ann for older-run/c, finish newer-run/failed',
);
checkLast(
  'a cycle through runs is named in each of them, and neither waits for ever',
  ['run older-run\na: needs newer-run/b\nrun newer-run\nb: needs older-run/a', 'why a'],
  'Can never start: it is in a dependency cycle (a → newer-run/b → a). Take one of the dependencies out: a, newer-run/b.',
);
checkLast(
  'and both end, one after the other',
  ['run older-run\na: needs newer-run/b\nrun newer-run\nb: needs older-run/a', 'rest'],
  'finish older-run/deadlocked, skip newer-run/b because older-run/a, finish newer-run/failed',
);
checkLast(
  'whoever waits for a run that is stuck is told when that has ended',
  ['run older-run\na: needs nobody\nrun newer-run\nb: needs older-run/a', 'rest'],
  'finish older-run/deadlocked, skip newer-run/b because older-run/a, finish newer-run/failed',
);
checkLast(
  'whoever waits for a person in another run is not stuck',
  ['run older-run\na: attention\nrun newer-run\nb: needs older-run/a', 'rest'],
  '',
);
checkLast(
  'a run that is not there is waited for by nobody',
  ['run newer-run\nb: after older-run/a', 'rest'],
  'finish deadlocked',
);
checkLast(
  'of two that wait for each other none is revived while the other is skipped',
  [
    'run older-run\na: needs newer-run/b\nc: agent\nrun newer-run\nb: needs older-run/a\nd: agent',
    'cancel newer-run/b; rest; retry newer-run/b; rest',
  ],
  'skip newer-run/b because older-run/a',
);
checkLast(
  'a run stays while another one goes on in which something is skipped only now',
  [
    'worker ann\nrun older-run\na: agent\nx: needs a newer-run/y\nrun newer-run\ny: needs older-run/x\nz: agent',
    'ann claims a; ann fails a; rest',
  ],
  'skip older-run/x because a, skip newer-run/y because older-run/x, wake ann for newer-run/z',
);
