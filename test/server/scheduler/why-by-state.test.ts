import { expect, test } from 'vitest';
import { decideTurn } from '../../../server/scheduler/decide.ts';
import { mayStart } from '../../../server/scheduler/predicate/may-start.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { workerId } from '../../support/snapshots.ts';

/** What keeps `a` back, as kinds of reasons. */
function check(name: string, [text, script]: readonly [string, string], expected: string): void {
  test(name, () => {
    const on = new Play(text);
    if (script !== '') play(on, script);
    const blockers = why(decideTurn(on.board, on.now), on.entry('a'));
    expect(blockers.map(({ reason }) => reason.kind).join(' ')).toBe(expected);
  });
}

const FILES = 'run only-run: limits db:1\na: writes x, takes db:1';

check('what is at work does not wait for itself', [`${FILES}, running`, ''], '');
check('neither does what is claimed', [FILES, 'decide'], '');
check('nor what is to be claimed just now', [FILES, ''], '');
check('what has ended waits for nothing', [`${FILES}, completed\nb: needs a, person`, ''], '');
check(
  'what is flagged at work needs a person',
  [FILES, 'rest; runner/local starts a; runner/local sticks a'],
  'attention',
);

test('what is to be claimed just now is not for anybody else', () => {
  const on = new Play('worker bot\na');
  const turn = decideTurn(on.board, on.now);
  const worker = on.worker(workerId('bot'));
  expect(mayStart(turn, on.entry('a')).kind).toBe('yes');
  expect(mayStart(turn, on.entry('a'), { worker }).kind).toBe('no');
});
