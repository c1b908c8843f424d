import { checkStory as check } from '../../support/board-story.ts';

check(
  'without a retry the first failure is final',
  'a: running\nb: needs a',
  'a fails → skip b because a, finish failed',
);
check(
  'a retry waits for its backoff',
  'a: retries 2, running\nb: needs a',
  `a fails
   +79ms
   +41ms → claim a
   a fails → skip b because a, finish failed`,
);
check(
  'so many attempts and no more',
  'a: retries 3, running',
  `a fails
   +1s → claim a
   a fails
   +1s → claim a
   a fails → finish failed`,
);
check(
  'what waits for a task that is tried again goes on waiting',
  'a: retries 2, running\nb: needs a\nc: after a',
  `a fails
   +1s → claim a
   a completes → claim b, claim c`,
);
check(
  'a person need not wait for the backoff',
  'a: retries 2, running',
  `a fails
   retry a → claim a`,
);
check(
  'a lost attempt is no failure of the command',
  'a: running',
  `a is killed
   +1s → claim a
   a is killed
   +1s → claim a
   a fails → finish failed`,
);
check(
  'a task that was lost three times waits for a person',
  'a: running\nb: needs a',
  `a is killed
   +1s → claim a
   a is killed
   +1s → claim a
   a is killed
   +60m
   why a → Needs you: it was lost three times. Retry it to begin anew, or cancel it.
   retry a → claim a
   a completes → claim b`,
);
check(
  'a command that can never be started fails at once, and what needs it is skipped',
  'a: retries 9, running\nb: after a\nc: needs a',
  'a fails unstarted → skip c because a, claim b',
);
check(
  'a command that cannot be started now is tried again as a loss',
  'a: retries 1, running',
  `a loses not-started
   +1s → claim a
   a loses not-started
   +1s → claim a
   a loses not-started
   why a → Needs you: it was lost three times. Retry it to begin anew, or cancel it.`,
);
check(
  'a lease that ends is an attempt that was lost',
  'a: agent, running, by ann\nb: lease 1s',
  `begin → claim b
   +1s → expire b
   leftover b gone
   +1s → claim b
   +1s → expire b
   leftover b gone
   +1s → claim b
   +1s → expire b
   why b → Needs you: it was lost three times. Retry it to begin anew, or cancel it.`,
);
check(
  'after a person retried it, it may be lost three times again',
  'a: attention',
  `answer a → claim a
   a is killed
   +1s → claim a
   a is killed
   +1s → claim a`,
);
check(
  'what was given back is no attempt that was lost',
  'a: running',
  `a is released → claim a
   a is released → claim a
   a is released → claim a
   a is released → claim a`,
);
check(
  'a result of a lost attempt is refused',
  'a: lease 1s',
  `begin → claim a
   +1s → expire a
   a completes → stale
   a fails → stale
   a renews → stale`,
);
check(
  'the first final state wins',
  'a: running\nb: running',
  `a completes
   a fails → stale
   cancel a → refused: ended`,
);

check(
  'a chain is skipped from its failure to its end',
  'a: running\nb: needs a\nc: needs b\nd: needs c\ne',
  'a fails → skip b because a, skip c because b, skip d because c, claim e',
);
check(
  'a diamond is skipped once',
  'a: running\nb: needs a\nc: needs a\nd: needs b c\nx: running',
  'a fails → skip b because a, skip c because a, skip d because b',
);
check(
  'a retry brings the whole chain back, and its end is reached',
  'a: failed\nb: needs a, skipped\nc: needs b, skipped\nd: needs c b, skipped\nx: running',
  `retry a → revive b, revive c, revive d, claim a
   a completes → claim b
   b completes → claim c
   c completes → claim d`,
);
check(
  'a diamond comes back only when both of its sides may complete',
  'a: failed\nb: failed\nc: needs a, skipped\nd: needs b, skipped\ne: needs c d, skipped\nx: running',
  `retry a → revive c, claim a
   retry b → revive d, revive e, claim b`,
);
check(
  'retrying a skipped task retries what it was skipped for',
  'a: failed\nb: needs a, skipped\nc: needs b, skipped\nx: running',
  'retry c → revive b, revive c, claim a',
);
check(
  'a failed sibling keeps what needs both skipped',
  'a: failed\nb: failed\nc: needs a b, skipped\nx: running',
  'retry a → claim a',
);
check(
  'a task that merely comes after a failed chain still starts',
  'a: running\nb: needs a\nc: after b\nx: running',
  'a fails → skip b because a, claim c',
);
check(
  'a task that a person cancels takes along who needs it, not who comes after it',
  'a: needs x\nb: needs a\nc: after a\nx: running',
  'cancel a → skip b because a, claim c',
);
check(
  'a task that completed may be run again, and who needs it waits again',
  'a: completed\nb: needs a x\nx: running',
  `retry a → claim a
   x completes
   a completes → claim b`,
);

check(
  'a run that fails fast starts nothing more, and lets what runs end',
  'run only-run: fail-fast\na: running\nb: running\nc: needs b\nd: attention\ne: paused',
  `a fails → cancel c, cancel d, cancel e
   b completes → finish failed`,
);
check(
  'a run that fails fast goes on while there is a retry left',
  'run only-run: fail-fast, parallel 1\na: retries 2, running\nb',
  `a fails → claim b
   b completes
   +1s → claim a
   a fails → finish failed`,
);
check(
  'a run that fails fast decides once about what needed the failed task',
  'run only-run: fail-fast\na: running\nb: needs a\nc: needs b\nx: running',
  'a fails → skip b because a, skip c because b',
);
check(
  'a loss is no failure that ends a run',
  'run only-run: fail-fast\na: running\nb: needs a',
  `a is killed
   +1s → claim a`,
);

check(
  'a stopped run cancels what waits and ends what runs',
  'a: running\nb: needs a\nc: retries 2, running\nd: paused\ne: attention',
  `c fails
   stop only-run → cancel b, cancel c, cancel d, cancel e, stop a
   a fails SIGTERM → finish cancelled`,
);
check(
  'what a stopped run ends after all has ended as it did',
  'a: running\nb: needs a',
  `stop only-run → cancel b, stop a
   a completes → finish cancelled`,
);
check(
  'what does not end when its run is stopped is made to',
  'a: running',
  `stop only-run → stop a
   +5s → kill a
   a is killed → finish cancelled`,
);
check(
  'an agent cannot be ended; its task is cancelled at once, and its word is stale',
  'a: agent, running, by ann\nb: running',
  `stop only-run → stop b, cancel a
   a completes → stale`,
);
check(
  'nothing of a stopped run comes back',
  'run only-run: stopping\na: needs b, skipped\nb\nc: running',
  'begin → cancel b, stop c',
);
check(
  'stopping twice is stopping once',
  'a: running',
  `stop only-run → stop a
   stop only-run`,
);
check(
  'stopping one run leaves the others, and what they wait for',
  'run older-run\na: writes x, running\nrun newer-run\nb: writes x',
  `stop older-run → stop older-run/a
   a fails SIGTERM → claim newer-run/b, finish older-run/cancelled`,
);
check(
  'what is to be cancelled does not come back when it is lost instead',
  'a: running\nb: running',
  `cancel a
   a is lost
   +60m
   leftover a gone
   +60m`,
);

check(
  'a paused task waits and keeps nobody else',
  'a: paused\nb: needs a\nc',
  `begin → claim c
   why a → Waits: it is paused. Resume it to go on.
   resume a → claim a`,
);
check(
  'pausing a task does not stop it once it runs',
  'a: running',
  `pause a
   a completes → finish completed`,
);
check(
  'a task that is paused while it runs does not start again by itself',
  'a: retries 2, running',
  `pause a
   a fails
   +1m
   resume a → claim a`,
);
check(
  'a paused board starts nothing, keeps its leases and sweeps them',
  'a: lease 10s\nb: needs c\nc: running',
  `begin → claim a
   pause
   c completes
   a renews
   +10s → expire a
   resume → claim b`,
);
check(
  'pausing a paused board changes nothing',
  'a: running\nb: needs a',
  `pause
   pause
   a completes
   resume → claim b`,
);
check(
  'a run that nobody carries on starts nothing until somebody does',
  'a\nb: running',
  `begin → claim a
   interrupt only-run
   a is released
   why a → Waits: the run was interrupted. Run it again to carry it on.
   carry on only-run → claim a`,
);
