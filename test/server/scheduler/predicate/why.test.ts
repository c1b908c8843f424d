import { expect, test } from 'vitest';
import { decideTurn } from '../../../../server/scheduler/decide.ts';
import { why } from '../../../../server/scheduler/predicate/why.ts';
import { Play } from '../../../support/board-play.ts';
import { checkLast } from '../../../support/board-story.ts';

/** What `why` says of `a`, a sentence for each reason. */
function check(name: string, text: string, ...sentences: readonly string[]): void {
  checkLast(name, [text, 'why a'], sentences.join(' '));
}

check('nothing keeps a task that may start', 'a');
check(
  'a folder that is not trusted',
  'board untrusted\na: needs b\nb',
  'Waits until this folder is trusted. Trust the folder to let its tasks run.',
);
check(
  'a board that is paused',
  'board paused\na: needs b\nb',
  'Waits: everything is paused. Resume it to go on.',
);
check(
  'shutting down',
  'board shutting-down\na',
  'Waits: Interlock is shutting down. It can be carried on afterwards.',
);
check(
  'a run that is stopped',
  'run only-run: stopping\na\nb: running',
  'Waits: the run is being stopped. Run it again once the run has ended.',
);
check(
  'a run that has failed fast',
  'run only-run: fail-fast\na\nb: failed',
  'Waits: the run ends at its first failure. Run it again once the run has ended.',
);
check('one dependency', 'a: needs b\nb: running', 'Waits for b. It goes on when that has ended.');
check(
  'several dependencies',
  'a: needs b, after c\nb: running\nc: running',
  'Waits for b, c. It goes on when all of them have ended.',
);
check(
  'more dependencies than anybody reads',
  `a: needs ${Array.from({ length: 12 }, (_, n) => `b${n}`).join(' ')}\n${Array.from({ length: 12 }, (_, n) => `b${n}: running`).join('\n')}`,
  'Waits for b0, b1, b2, b3, b4, b5, b6, b7, b8, b9 and 2 more. It goes on when all of them have ended.',
);
check(
  'a dependency that does not exist',
  'a: needs nobody\nb: running',
  'Can never start: it depends on nobody, which does not exist. Add nobody to the plan, or take it out of depends_on.',
);
check(
  'a question to a person',
  'a: attention',
  'Needs you: it has a question. Answer it or retry it.',
);
check(
  'an agent that nobody is',
  'a: agent, capable code',
  'Waits for an agent with code; none is connected now. A worker that fits clears this.',
);
check(
  'a person who has taken a file until some time',
  'person ann: writes x\na: writes x',
  'Waits for ann, who has taken x. It goes on when they save and stop, or say so.',
);
check(
  'a start that would delay another, and until when',
  'run only-run: limits db:2\na: takes db:1, expects 20s\nb: takes db:2, priority high\nc: takes db:1, running, expects 10s',
  'Waits for b, whose start it would delay. It goes on when b has started, in 10 s at the latest.',
);
check(
  'everything that keeps it, each with its own remedy',
  'host h1: unreachable, limits parallel:1\nhost h2: unreachable, can gpu\nperson ann: writes x, unsaved\nrun only-run: parallel 1\na: on local h1 h2, capable gpu, writes x\nb: on h1, running\nc: running',
  'Waits for a free place (1 run at once). It starts when one of the running tasks ends, or raise the limit.',
  'Needs gpu, which local does not have. A worker that fits clears this.',
  'Waits for h1, which cannot be reached. It goes on when h1 can be reached again.',
  'Waits for a free place on h1 (1 run there at once). It starts when one of the tasks there ends, or give that host more slots.',
  'Needs gpu, which h1 does not have. A worker that fits clears this.',
  'Waits for h2, which cannot be reached. It goes on when h2 can be reached again.',
  'Waits for ann, who is editing x. It goes on when they save and stop, or say so.',
);

checkLast(
  'a backoff says which attempt comes next, and when',
  ['a: retries 9, running', 'a fails; why a'],
  'Waits before attempt 2. It is tried again by itself; retry it to try at once, in 109 ms at the latest.',
);

checkLast(
  'a person who has taken a file for some time',
  ['a: writes x', 'ann owns x for 1m; why a'],
  'Waits for ann, who has taken x. It goes on when they save and stop, or say so, in 1 min 0 s at the latest.',
);
checkLast(
  'unsaved changes, which have no end',
  ['a: writes x', 'ann owns x for 1m unsaved; why a'],
  'Waits for ann, who is editing x. It goes on when they save and stop, or say so.',
);

test('one who has not the role is told whom the task is for', () => {
  const on = new Play('worker ann: person\nworker bob: can code\na: agent, capable web');
  const turn = decideTurn(on.board, on.now);
  const asked = [...on.board.workers.sessions.values()].map((worker) =>
    why(turn, on.entry('a'), { worker }).map(({ sentence }) => sentence),
  );
  expect(asked).toStrictEqual([
    [
      'Is for an agent, not for ann. A worker that fits clears this.',
      'Needs web, which ann does not have. A worker that fits clears this.',
    ],
    ['Needs web, which bob does not have. A worker that fits clears this.'],
  ]);
});
