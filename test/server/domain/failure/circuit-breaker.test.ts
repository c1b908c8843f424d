import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unreachable } from '../../../../server/domain/assert.ts';
import {
  callDropped,
  callEnded,
  callStarted,
  CLOSED,
  mayCall,
  settleOverdue,
  type Breaker,
} from '../../../../server/domain/failure/circuit-breaker.ts';
import { instant, type Instant } from '../../../../server/domain/time.ts';

/** One thing that happens at a second: a call starts, is due `CALL_SECONDS` later, or reports. */
type Happening = readonly [
  second: number,
  what: 'start' | 'ok' | 'fail' | 'drop' | 'look',
  call: string,
];

const CALL_SECONDS = 10;

function at(second: number): Instant {
  return instant(second * 1000);
}

function happen(breaker: Breaker, [second, what, call]: Happening): Breaker {
  switch (what) {
    case 'start':
      return callStarted(breaker, { call, dueAt: at(second + CALL_SECONDS) }, at(second));
    case 'ok':
      return callEnded(breaker, { call, succeeded: true }, at(second));
    case 'fail':
      return callEnded(breaker, { call, succeeded: false }, at(second));
    case 'drop':
      return callDropped(breaker, call, at(second));
    case 'look':
      return settleOverdue(breaker, at(second));
    default:
      return unreachable(what);
  }
}

/** `60 start t1` happens at second 60; several are set apart by commas. */
function read(text: string): readonly Happening[] {
  return text.split(', ').map((one): Happening => {
    const [second, what, call = ''] = one.split(' ');
    if (what !== 'start' && what !== 'ok' && what !== 'fail' && what !== 'drop' && what !== 'look')
      throw new Error(`Not a happening: ${one}`);
    return [Number(second), what, call];
  });
}

function show(breaker: Breaker): string {
  switch (breaker.kind) {
    case 'closed':
      return `closed ${breaker.failures.length}`;
    case 'open':
      return `open until ${breaker.until / 1000}`;
    case 'half-open':
      return `half-open ${breaker.trials.map(({ call, outcome }) => `${call} ${outcome}`).join(', ')}`;
    default:
      return unreachable(breaker);
  }
}

/** Five failures at second 0. */
const OPENED = '0 fail a, 0 fail b, 0 fail c, 0 fail d, 0 fail e';

function check(name: string, happenings: string, expected: string): void {
  test(name, () => {
    expect(show(read(happenings).reduce(happen, CLOSED))).toBe(expected);
  });
}

check('a call that starts changes nothing while closed', '0 start a', 'closed 0');
check('four failures in a row keep it closed', OPENED.slice(0, -', 0 fail e'.length), 'closed 4');
check('the fifth opens it for 60 seconds', OPENED, 'open until 60');
check('a success ends the row', '0 fail a, 0 fail b, 1 ok c, 2 fail d', 'closed 1');
check('a failure that is reported again counts once', '0 fail a, 1 fail a, 2 fail a', 'closed 1');
check('the first report of a failed call stands', '0 fail a, 0 fail b, 1 ok a', 'closed 2');

check('reports while open are ignored', `${OPENED}, 30 ok a, 31 fail f`, 'open until 60');
check('a call that starts while open is not counted', `${OPENED}, 59 start t`, 'open until 60');
check('time alone leaves it open', `${OPENED}, 90 look`, 'open until 60');
check('a call after 60 seconds is a trial', `${OPENED}, 60 start t`, 'half-open t pending');

const TRIALS = `${OPENED}, 60 start t, 60 start u, 60 start v`;

check(
  'there are three trials',
  `${TRIALS}, 60 start w`,
  'half-open t pending, u pending, v pending',
);
check(
  'a trial that starts again is still one',
  `${OPENED}, 60 start t, 61 start t`,
  'half-open t pending',
);
check(
  'a trial that is called off makes room for another',
  `${TRIALS}, 61 drop t, 62 start w`,
  'half-open u pending, v pending, w pending',
);
check(
  'a trial that has reported is not called off any more',
  `${TRIALS}, 61 ok t, 62 drop t`,
  'half-open t succeeded, u pending, v pending',
);
check('a call that is called off says nothing while closed', '0 fail a, 1 drop a', 'closed 1');
check('a call that is called off leaves it open', `${OPENED}, 30 drop e`, 'open until 60');

check(
  'one success is not enough',
  `${TRIALS}, 61 ok t`,
  'half-open t succeeded, u pending, v pending',
);
check('two successes close it', `${TRIALS}, 61 ok t, 62 ok v`, 'closed 0');
check(
  'two successes close it after a failure',
  `${TRIALS}, 61 fail t, 62 ok u, 63 ok v`,
  'closed 0',
);
check(
  'one failure leaves it half-open',
  `${TRIALS}, 61 fail t`,
  'half-open t failed, u pending, v pending',
);
check('a second failure opens it again', `${TRIALS}, 61 fail t, 62 fail u`, 'open until 122');
check(
  'it opens again for two failures after a success',
  `${TRIALS}, 61 ok t, 62 fail u, 63 fail v`,
  'open until 123',
);
check(
  'a trial that reports again counts once',
  `${TRIALS}, 61 fail t, 62 fail t, 63 ok t`,
  'half-open t failed, u pending, v pending',
);
check(
  'a call from before it opened is no trial',
  `0 start z, ${OPENED}, 60 start t, 61 fail z, 62 fail y`,
  'half-open t pending',
);

check(
  'a trial is pending until it is due',
  `${OPENED}, 60 start t, 69 look`,
  'half-open t pending',
);
check(
  'a trial that does not report has failed when it is due',
  `${OPENED}, 60 start t, 70 look`,
  'half-open t failed',
);
check(
  'two overdue trials open it from when the second was due',
  `${TRIALS}, 75 look`,
  'open until 130',
);
check(
  'overdue trials fail in the order they were due',
  `${OPENED}, 60 start t, 61 start u, 62 start v, 75 look`,
  'open until 131',
);
check(
  'a success after the due time is too late, though nobody looked',
  `${OPENED}, 60 start t, 71 ok t`,
  'half-open t failed',
);
check(
  'trials forgotten long ago give way to a new one',
  `${TRIALS}, 900 start w`,
  'half-open w pending',
);
check('a clock that goes back reopens nothing', `${TRIALS}, 61 ok t, 0 look, 0 ok u`, 'closed 0');
check('a clock that goes back ends no wait', `${OPENED}, 0 start t`, 'open until 60');

function checkAnswer(
  name: string,
  happenings: string,
  [second, expected]: readonly [number, number | 'allowed'],
): void {
  test(name, () => {
    const answer = mayCall(read(happenings).reduce(happen, CLOSED), at(second));
    expect(answer).toStrictEqual(
      expected === 'allowed' ? { kind: 'allowed' } : { kind: 'refused', until: at(expected) },
    );
  });
}

checkAnswer('a closed breaker allows', '0 fail a', [0, 'allowed']);
checkAnswer('an open breaker refuses', OPENED, [59, 60]);
checkAnswer('an open breaker refuses no longer than that', OPENED, [60, 'allowed']);
checkAnswer('a second and a third trial are allowed', `${OPENED}, 60 start t, 61 start u`, [
  61,
  'allowed',
]);
checkAnswer(
  'a fourth waits for the pending trial that is due first',
  `${OPENED}, 60 start t, 61 start u, 62 start v, 63 ok t`,
  [63, 71],
);
checkAnswer('an overdue trial does not hold up others', `${TRIALS}, 61 ok t, 62 fail u`, [70, 130]);

const happening = fc.tuple(
  fc.integer({ min: -50, max: 100 }),
  fc.constantFrom('start', 'start', 'ok', 'fail', 'fail', 'look'),
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
);
/** Five failures and a minute are rare by chance, so half of all stories begin with them. */
const story = fc
  .tuple(fc.constantFrom('', `${OPENED}, 60 look`), fc.array(happening, { maxLength: 60 }))
  .map(([beginning, steps]) => {
    let second = beginning === '' ? 0 : 60;
    const rest = steps.map(([step, what, call]): Happening => {
      second += Math.round(step / 5);
      return [second, what, call];
    });
    return { happenings: [...(beginning === '' ? [] : read(beginning)), ...rest], second };
  });

test('once all calls succeed, it closes within three calls and never refuses for ever', () => {
  fc.assert(
    fc.property(story, ({ happenings, second }) => {
      let breaker = happenings.reduce(happen, CLOSED);
      let now = at(second);
      let calls = 0;
      let waits = 0;
      for (let step = 0; step < 7 && breaker.kind !== 'closed'; step++) {
        const answer = mayCall(breaker, now);
        if (answer.kind === 'refused') {
          now = answer.until;
          waits++;
          continue;
        }
        const call = `healthy ${calls++}`;
        breaker = callStarted(breaker, { call, dueAt: instant(now + 1000) }, now);
        breaker = callEnded(breaker, { call, succeeded: true }, now);
      }
      expect(breaker.kind).toBe('closed');
      expect(calls).toBeLessThanOrEqual(3);
      expect(waits).toBeLessThanOrEqual(3);
    }),
    { numRuns: 2000 },
  );
});

test('it makes no difference how often somebody looks', () => {
  const forwards = story.map(({ happenings }) => happenings.toSorted(([a], [b]) => a - b));
  fc.assert(
    fc.property(forwards, fc.integer({ min: 0, max: 100 }), (happenings, later) => {
      const seldom = happenings.filter(([, what]) => what !== 'look').reduce(happen, CLOSED);
      const often = happenings.reduce(
        (breaker, one) => happen(happen(breaker, [one[0], 'look', '']), one),
        CLOSED,
      );
      const end: Happening = [(happenings.at(-1)?.[0] ?? 0) + later, 'look', ''];
      expect(happen(often, end)).toStrictEqual(happen(seldom, end));
    }),
    { numRuns: 2000 },
  );
});

test('a report that comes twice in a row changes nothing the second time', () => {
  fc.assert(
    fc.property(story, ({ happenings }) => {
      let breaker = CLOSED;
      const counted: Happening[] = [];
      for (const one of happenings) {
        breaker = happen(breaker, one);
        const isReport = one[1] === 'fail' || one[1] === 'ok';
        if (isReport && happen(breaker, one) !== breaker) counted.push(one);
      }
      expect(counted).toStrictEqual([]);
    }),
  );
});
