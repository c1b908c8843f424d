import { expect, test } from 'vitest';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkStory as check } from '../../support/board-story.ts';

// ann waits. eve does not: she asks when she likes, most often right after she has ended a task.

check(
  'who asks right after completing does not overtake one that waits',
  'worker ann\na: agent, writes x\nb: agent, writes x\nc: agent, writes x',
  `eve claims a → claim a
   eve completes a → wake ann for b
   eve claims → nothing-to-claim
   eve claims b → blocked: waits: ann has waited longer and was just woken for b
   ann claims → claim b`,
);
check(
  'nor by a task that would keep the other from starting',
  'worker ann\na: agent, writes x\nb: agent, writes x\nc: agent, writes x\nd: agent, writes y, needs a',
  `eve claims a → claim a
   eve completes a → wake ann for b
   eve claims c → blocked: waits: ann has waited longer and was just woken for b
   eve claims → claim d
   ann claims → claim b`,
);
check(
  'nor by one that takes the resources of the other',
  'run only-run: limits db:2\nworker ann: can web\na: agent, takes db:2\nb: agent, capable web, takes db:2\nc: agent, takes db:1',
  `eve claims a → claim a
   eve completes a → wake ann for b
   eve claims c → blocked: waits: ann has waited longer and was just woken for b
   ann claims → claim b`,
);
check(
  'who does not answer within five seconds loses its turn',
  'worker ann\na: agent',
  `begin → wake ann for a
   +4999ms
   eve claims a → blocked: waits: ann has waited longer and was just woken for a
   +1ms
   eve claims a → claim a`,
);
check(
  'who has left has no turn, nor has who became busy',
  'worker ann\nworker bob\na: agent\nb: agent',
  `begin → wake ann for a, wake bob for b
   ann leaves
   bob is busy
   eve claims → claim a
   flo claims → claim b`,
);
check(
  'who gave a task back does not hold up others with it',
  'worker ann\na: agent',
  `ann claims a → claim a
   a is released → wake ann for a
   eve claims a → claim a`,
);
check(
  'who has claimed another task has taken its turn',
  'worker ann\na: agent\nb: agent',
  `begin → wake ann for a
   ann claims b → claim b
   eve claims a → claim a`,
);
check(
  'who waits longer than the one that was woken is not held up',
  'worker ann: busy\nworker zoe\na: agent, retries 3',
  `begin → wake zoe for a
   zoe claims → claim a
   +1s
   ann is idle
   +1s
   a fails
   +200ms → wake ann for a
   zoe claims a → blocked: waits: ann has waited longer and was just woken for a
   ann claims a → claim a`,
);
check(
  'people are held up by nobody, and hold up nobody',
  'worker ann\nworker kim: person\na: anyone\nb: anyone',
  `begin → wake ann for a, wake kim for b
   eve claims b → claim b
   kim claims a → claim a`,
);
check(
  'who can no longer start what it was woken for has its turn with another task',
  'worker ann\na: agent, writes x\nb: agent, writes y',
  `begin → wake ann for a
   kim owns x unsaved → wake ann for b
   eve claims → nothing-to-claim
   ann claims → claim b`,
);

test('of sixteen tasks in a row each of two agents gets eight', () => {
  const tasks = Array.from({ length: 16 }, (_, number) => `t${number}: agent, writes x`);
  const on = new Play(['worker ann', ...tasks].join('\n'));
  const got = new Map([
    ['ann', 0],
    ['eve', 0],
  ]);
  play(on, 'eve claims; rest');
  for (let done = 0; done < 16; done += 1) {
    const [claim] = on.board.claims.pulled;
    const { worker } = claim!.holder;
    got.set(worker, got.get(worker)! + 1);
    play(on, `+1s; ${worker} completes ${claim!.entry.id}; rest; ${worker} is idle; rest`);
    // Whoever has just completed is the first to ask.
    const other = worker === 'ann' ? 'eve' : 'ann';
    play(on, `${worker} claims; ${other} claims; rest`);
  }
  expect(Object.fromEntries(got)).toStrictEqual({ ann: 8, eve: 8 });
});
