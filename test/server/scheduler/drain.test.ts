import { checkLast as check } from '../../support/board-story.ts';

const R = 'runner/local';
const ANN = 'worker ann\na: agent';

check('a drained machine is said to be', ['a', 'drain local'], 'workerDrained');
check('a drained machine starts nothing', ['a', 'drain local; decide'], '');
check(
  'and every task says so',
  ['a', 'drain local; why a'],
  'Waits: this machine is drained, and is given nothing new. Undrain this machine to go on.',
);
check(
  'what it has goes on',
  ['a', `decide; ${R} starts a; drain local; ${R} completes a; state a`],
  'completed',
);
check(
  'what failed on it is not tried there again',
  ['a: retries 2', `decide; ${R} starts a; drain local; ${R} fails a; +1m; decide`],
  '',
);
check('it goes on when it is undrained', ['a', 'drain local; undrain local; decide'], 'claim a');
check('nothing is drained twice', ['a', 'drain local; drain local'], '');
check('what is not drained is not undrained', ['a', 'undrain local'], '');
check('a drained machine is no deadlock', ['a', 'drain local; rest; state a'], 'pending');
check('tasks go to another host', ['host far\na: on far', 'drain local; decide'], 'claim a on far');

check(
  'a drained agent gets no task',
  [ANN, 'drain ann; ann claims a'],
  'blocked: waits: ann is drained, and is given nothing new',
);
check('nor whatever comes first', [ANN, 'drain ann; ann claims'], 'nothing-to-claim');
check('it is not woken', [ANN, 'drain ann; rest'], '');
check(
  'where only it could take a task, the task says so',
  [ANN, 'drain ann; why a'],
  'Waits: ann is drained, and is given nothing new. Undrain ann to go on.',
);
check(
  'a task that another one could take does not wait for it',
  ['worker ann\nworker bob\na: agent', 'drain ann; why a'],
  '',
);
check(
  'it keeps what it has',
  [ANN, 'ann claims a; drain ann; ann completes a; state a'],
  'completed',
);
check(
  'it is drained also when it comes back',
  [ANN, 'drain ann; ann leaves; ann is idle; ann claims'],
  'nothing-to-claim',
);
check('and is given tasks again', [ANN, 'drain ann; undrain ann; ann claims a'], 'claimed a');
