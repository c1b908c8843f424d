import { expect, test } from 'vitest';
import { type AgentEnd, answerLeave, prolonged } from '../../../server/scheduler/requests/leave.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { workerId } from '../../support/snapshots.ts';

/** What becomes of the claims and files of an agent whose connection was closed. */

const ANN = workerId('ann');
const BOARD = 'worker ann\nworker bob\na: agent, lease 5m, writes x\nb: agent, writes x';
const LEFT = 'blocked: waits until nothing is left of a lost attempt at a';

/** Ann has claimed `a` and renewed it when her connection is closed. */
function left(how: AgentEnd['left'], board = BOARD): Play {
  const on = new Play(board);
  play(on, 'ann claims a; ann renews a');
  leave(on, { terms: [on.termOf(ANN, 'a')], left: how });
  return on;
}

function leave(on: Play, agent: AgentEnd): void {
  for (const event of answerLeave(on.board, { worker: ANN, agent }, on.now))
    expect(on.apply(event)).toBe('moved');
}

test.for([
  ['ended', '+9999ms; rest; state a', 'running by ann'],
  ['ended', '+10s; rest; +1m; state a', 'pending'],
  ['ended', '+10s; rest; bob claims b', 'claimed b'],
  ['ended', '+10s; rest; +1s; bob claims a', 'claimed a'],
  ['ended', '+9s; ann renews a; +1m; rest; state a', 'running by ann'],
  ['unknown', '+9999ms; rest; state a', 'running by ann'],
  ['unknown', '+10s; rest; bob claims b', LEFT],
  ['unknown', '+10s; rest; +59999ms; bob claims a', LEFT],
  ['unknown', '+10s; rest; +1m; bob claims a', 'claimed a'],
] as const)('an agent that is gone (%s): %s: %s', ([how, script, says]) => {
  expect(play(left(how), script)).toContain(says);
});

test('a lease that ends before the grace ends as before', () => {
  const on = left('ended', BOARD.replace('5m', '3s'));
  expect(play(on, '+2999ms; rest; state a')).toContain('running');
  expect(play(on, '+1ms; rest; bob claims b')).toBe('claimed b');
});

test.for([
  ['+3s', '+7s; rest; +1s; bob claims a', 'claimed a'],
  // It is there again, so it did not end.
  ['+3s; ann renews a', '+4m; rest; state a', 'running by ann'],
] as const)('an agent is found to have ended later: %s: %s: %s', ([first, then, says]) => {
  const on = left('unknown');
  const terms = [on.termOf(ANN, 'a')];
  play(on, first);
  leave(on, { terms, left: 'ended', isLater: true });
  expect(play(on, then)).toContain(says);
});

test('only the claims that the connection renewed end with it', () => {
  const on = new Play(BOARD);
  play(on, 'ann claims a; ann renews a');
  leave(on, { terms: [on.termOf(ANN, 'a') + 1], left: 'ended' });
  expect(play(on, '+4m; rest; state a')).toContain('running');
});

test('files that a hook took end after the grace, and those that the agent took itself do not', () => {
  const on = new Play(BOARD);
  const own = { worker: ANN, tree: '/tree', reads: [], isUnsaved: false } as const;
  on.own({ ...own, id: 'hook/1/2', writes: ['by-hook'] });
  on.own({ ...own, id: 'own/1', writes: ['by-ann'] });
  leave(on, { terms: [], left: 'unknown' });
  play(on, '+9999ms');
  on.board.advanceTo(on.now);
  expect([...on.board.owners.people.keys()].toSorted()).toEqual(['hook/1/2', 'own/1']);
  play(on, '+1ms');
  on.board.advanceTo(on.now);
  expect([...on.board.owners.people.keys()]).toEqual(['own/1']);
});

test('a process that decides next gives a closed connection the grace again, and no more', () => {
  const on = left('unknown');
  const holder = on.entry('a').claim!.holder;
  const expiresAt = on.now + 10_000;
  const again = { kind: 'holderLeft', term: holder.term, at: on.now, expiresAt, left: 'unknown' };
  expect(prolonged(holder, on.now)).toEqual(again);
});
