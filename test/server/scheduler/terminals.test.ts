import { checkLast as check, checkStory } from '../../support/board-story.ts';

const WINDOW = 'worker win: terminal';
const PLAY = `${WINDOW}\nworker term: terminal, busy\na: terminal`;
/** A program in a terminal took it, and has begun. */
const BEGUN = 'rest; term claims a; rest; a renews';

check('a window is woken for a task that runs in a terminal', [PLAY, 'decide'], 'wake win for a');
check('the scheduler does not start it', [PLAY, 'decide; state a'], 'pending');
check(
  'without a window it says that it needs one',
  ['a: terminal', 'why a'],
  'Waits for a terminal, and no editor window is here to open one. It goes on when the folder is open in VS Code; "interlock terminal" takes it in any other terminal.',
);
check(
  'an agent that is here is no window',
  ['worker ann\na: terminal', 'why a'],
  'Waits for a terminal, and no editor window is here to open one. It goes on when the folder is open in VS Code; "interlock terminal" takes it in any other terminal.',
);
check(
  'what it needs beyond that is named',
  [`${WINDOW}\na: terminal, capable gpu`, 'why a'],
  'Waits for a terminal with gpu, and no editor window has that. It goes on when the folder is open in VS Code; "interlock terminal" takes it in any other terminal.',
);
check(
  'nobody starves for want of a window',
  ['a: terminal', 'rest; +10m; rest; state a'],
  'pending',
);
check(
  'while the terminal of one window opens no other one is woken',
  [`${PLAY}\nworker zoe: terminal`, 'rest; zoe is idle; rest'],
  '',
);
check(
  'where nothing comes of that another one is',
  [`${PLAY}\nworker zoe: terminal`, 'rest; +15s; rest'],
  'wake zoe for a',
);
check('a program in a terminal claims it', [PLAY, 'rest; term claims a'], 'claimed a');
check(
  'an agent does not get it',
  ['worker ann\na: terminal', 'ann claims a'],
  'blocked: is for a terminal, not for ann',
);
check(
  'a terminal does not get what an agent does',
  [`${WINDOW}\na: agent`, 'win claims a'],
  'blocked: is for an agent, not for win',
);
check(
  'a terminal does not get what anybody may do, for it does not know how',
  [`${WINDOW}\na: anyone`, 'win claims a'],
  'blocked: is for an agent or a person, not for win',
);
check(
  'two programs do not get it',
  [`${PLAY}\nworker zoe: terminal`, 'rest; term claims a; zoe claims a'],
  'held by term until 31000',
);
check(
  'a program that comes back as another does not get it either',
  [PLAY, `${BEGUN}; term claims a`],
  'held by term until 31000',
);
check(
  'its first renewal says that it runs',
  [PLAY, `${BEGUN}; state a`],
  'running by term until 31000',
);
check('when it is silent its lease ends', [PLAY, `${BEGUN}; +30s; decide`], 'expire a');

checkStory(
  'its command is asked to end, like one of a runner',
  PLAY,
  `begin → wake win for a
   term claims a → claim a
   a renews
   cancel a
   +5s → kill a
   a fails SIGTERM → finish cancelled`,
);
checkStory(
  'its time limit is kept',
  `${PLAY}, timeout 10s`,
  `begin → wake win for a
   term claims a → claim a
   a renews
   +10s → stop a
   +5s → kill a`,
);
checkStory(
  'after a failure the window is woken again at once',
  `${PLAY}, retries 2`,
  `begin → wake win for a
   term claims a → claim a
   a renews
   a fails
   +1s → wake win for a`,
);
