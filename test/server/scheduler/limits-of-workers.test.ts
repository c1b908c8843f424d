import { expect, test } from 'vitest';
import { tell } from '../../support/board-script.ts';

/** What the last step of a story says. */
function check(name: string, [text, script]: readonly [string, string], expected: string): void {
  test(name, () => {
    expect(tell(text, script)).toBe(expected);
  });
}

const BOT = 'worker bot\na: agent, lease 10s';
const BEGUN = 'bot claims a; bot renews a';
const LONG = `${BEGUN}; +9s; bot renews a; +9s; bot renews a`;

check(
  'the lease of an agent is renewed while its task may take as long',
  [`${BOT}, timeout 25s`, `${LONG}; +6s; bot renews a; state a`],
  'running by bot until 35000',
);
check(
  'and not any more after that',
  [`${BOT}, timeout 25s`, `${LONG}; +7s; bot renews a`],
  'stale',
);
check(
  'whatever it has done by then counts until its lease ends',
  [`${BOT}, timeout 25s`, `${LONG}; +7s; bot renews a; +2s; bot completes a; state a`],
  'completed',
);
check(
  'then it is a lost attempt',
  [`${BOT}, timeout 25s`, `${LONG}; +7s; bot renews a; +3s; decide; tries a`],
  'revision 1, 1 attempts, 0 failures, 1 losses',
);
check(
  'the time begins when it begins',
  [`${BOT}, timeout 9s`, 'bot claims a; +9s; bot renews a; +8s; bot renews a; state a'],
  'running by bot until 28000',
);
check(
  'a soft limit is as good',
  [`${BOT}, soft timeout 5s`, `${BEGUN}; +5s; bot renews a`],
  'stale',
);
check(
  'with two limits it is the hard one',
  [`${BOT}, soft timeout 5s, timeout 7s`, `${BEGUN}; +6s; bot renews a; state a`],
  'running by bot until 17000',
);
check(
  'under load it has more time',
  [`${BOT}, timeout 5s`, `memory 85; decide; ${BEGUN}; +7s; bot renews a; state a`],
  'running by bot until 18000',
);
check(
  'nobody says that a person takes too long',
  [
    'worker ann: person\na: person, timeout 5s',
    `ann claims a; ann renews a; +9s; ann renews a; state a`,
  ],
  'running by ann until released',
);
check(
  'nor where an agent could have done it',
  [
    'worker ann: person\na: anyone, timeout 5s, lease 10s',
    'ann claims a; ann renews a; +9s; ann renews a; state a',
  ],
  'running by ann until 20000',
);
check(
  'what an agent does though anybody may is bound',
  ['worker bot\na: anyone, timeout 5s', `${BEGUN}; +9s; bot renews a`],
  'stale',
);
