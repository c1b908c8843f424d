import { expect, test } from 'vitest';
import { type Instant, instant, laterBy } from '../../../../server/domain/time.ts';
import { BufferClaim } from '../../../../server/handlers/ownership/buffer-claim.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A board and a clock that the test turns. Times are seconds since the beginning. */
class Turned {
  readonly said: string[] = [];
  readonly claim: BufferClaim;
  isRefused = false;
  /** Nobody decides now. */
  isAway = false;
  #now = instant(0);
  readonly #alarms = new Set<{ readonly at: Instant; readonly callback: () => void }>();

  constructor() {
    this.claim = new BufferClaim({
      now: () => this.#now,
      after: (delayMs, callback) => {
        const alarm = { at: laterBy(this.#now, delayMs), callback };
        this.#alarms.add(alarm);
        return { [Symbol.dispose]: () => void this.#alarms.delete(alarm) };
      },
      own: async (until, isSaved) => {
        const saved = isSaved ? ', saved' : '';
        this.said.push(`${this.#now / SECOND}: own until ${until / SECOND}${saved}`);
        if (this.isAway) throw new Error('Nobody is there.');
        return !this.isRefused;
      },
      free: async () => {
        this.said.push(`${this.#now / SECOND}: free`);
        if (this.isAway) throw new Error('Nobody is there.');
      },
    });
  }

  async pass(durationMs: number): Promise<void> {
    const end = laterBy(this.#now, durationMs);
    for (;;) {
      await settled();
      const [next] = [...this.#alarms]
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#alarms.delete(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('the first change takes the file, and a hundred more ask for nothing', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  for (let key = 0; key < 100; key += 1) {
    claim.follow('unsaved');
    await turned.pass(100);
  }
  expect(said).toEqual(['0: own until 120']);
});

test('it is renewed while there are unsaved changes, also when nobody types', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(3 * MINUTE + SECOND);
  expect(said).toEqual([
    '0: own until 120',
    '60: own until 180',
    '120: own until 240',
    '180: own until 300',
  ]);
});

test('once it is saved it ends two minutes after the last key', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(20 * SECOND);
  claim.follow('unsaved');
  await turned.pass(10 * SECOND);
  claim.follow('saved');
  await turned.pass(5 * MINUTE);
  expect(said).toEqual(['0: own until 120', '33: own until 140, saved']);
  expect(claim.isHeld).toBe(false);
});

test('saved long after the last key it ends at once', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(130 * SECOND);
  claim.follow('saved');
  await turned.pass(SECOND);
  expect(said.at(-1)).toBe('130: free');
});

test('undone it ends at once, but not where a save only looks like that', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(10 * SECOND);
  claim.follow('clean');
  await turned.pass(100);
  claim.follow('saved');
  await turned.pass(10 * SECOND);
  claim.follow('unsaved');
  claim.follow('clean');
  await turned.pass(SECOND);
  expect(said).toEqual([
    '0: own until 120',
    '13.1: own until 120, saved',
    '20.1: own until 140.1',
    '20.4: free',
  ]);
});

test('an editor that saves at each pause does not ask each time', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  for (let each = 0; each < 40; each += 1) {
    claim.follow('unsaved');
    await turned.pass(SECOND);
    claim.follow('saved');
    await turned.pass(SECOND);
  }
  expect(said).toEqual(['0: own until 120', '60: own until 180']);
  expect(claim.isHeld).toBe(true);
});

test('what is undone and done again and again is asked for once', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  for (let each = 0; each < 150; each += 1) {
    claim.follow('unsaved');
    await turned.pass(100);
    claim.follow('clean');
    await turned.pass(100);
  }
  expect(said).toEqual(['0: own until 120']);
});

test('what is changed anew is held anew within the blink of an eye', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(100);
  claim.follow('clean');
  await turned.pass(310);
  claim.follow('unsaved');
  await turned.pass(300);
  expect(said).toEqual(['0: own until 120', '0.4: free', '0.41: own until 120.41']);
});

test('whoever lets others go first has it again with the next change after a save', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(10 * SECOND);
  claim.yield();
  await turned.pass(5 * MINUTE);
  claim.follow('unsaved');
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '10: free']);
  claim.follow('saved');
  claim.follow('unsaved');
  await turned.pass(SECOND);
  expect(said.at(-1)).toBe('370: own until 490');
});

test('what the board has lost is asked for again', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(10 * SECOND);
  claim.lost();
  await turned.pass(SECOND);
  expect(said).toEqual(['0: own until 120', '10: own until 130']);
});

test('a file that is closed is let go of, also while it is being asked for', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await claim.end();
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '0: free']);
});

test('a board that refuses is not asked again for the same', async () => {
  const turned = new Turned();
  turned.isRefused = true;
  turned.claim.follow('unsaved');
  await turned.pass(10 * MINUTE);
  expect(turned.said).toEqual(['0: own until 120']);
  expect(turned.claim.isHeld).toBe(false);
});

test('a board that cannot be asked is asked again a minute later', async () => {
  const turned = new Turned();
  turned.isAway = true;
  turned.claim.follow('unsaved');
  await turned.pass(MINUTE - SECOND);
  turned.isAway = false;
  await turned.pass(2 * SECOND);
  expect(turned.said).toEqual(['0: own until 120', '60: own until 180']);
  expect(turned.claim.isHeld).toBe(true);
});

test('a file that is closed while the board cannot be asked is left to its time', async () => {
  const turned = new Turned();
  turned.claim.follow('unsaved');
  await turned.pass(SECOND);
  turned.isAway = true;
  await turned.claim.end();
  expect(turned.said).toEqual(['0: own until 120', '1: free']);
});

test('what was let go of is asked for again at once, if that was not a moment ago', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(10 * SECOND);
  claim.follow('clean');
  await turned.pass(SECOND);
  claim.follow('unsaved');
  await turned.pass(SECOND);
  expect(said).toEqual(['0: own until 120', '10.3: free', '11: own until 131']);
});

test('a file that is saved before anybody had it is taken at once', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  await turned.pass(3 * MINUTE);
  claim.saved();
  await turned.pass(MINUTE);
  expect(said).toEqual(['180: own until 182, saved', '180: free']);
});

test('a file that is saved and closed in the same moment was taken', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  claim.saved();
  await claim.end();
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '0: free']);
});

test('a file that is let go of while it is saved and closed is taken once more', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(SECOND);
  claim.yield();
  claim.saved();
  await claim.end();
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '1: free', '1: own until 3, saved', '1: free']);
});

test('whoever lets others go first and saves all the same has it for that moment', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(SECOND);
  claim.yield();
  await turned.pass(SECOND);
  claim.saved();
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '1: free', '2: own until 4, saved', '2: free']);
});

test('ten saves while the file is held are told once, when nobody types', async () => {
  const { claim, said, ...turned } = expose(new Turned());
  claim.follow('unsaved');
  await turned.pass(SECOND);
  for (let each = 0; each < 10; each += 1) claim.saved();
  await turned.pass(MINUTE);
  expect(said).toEqual(['0: own until 120', '4: own until 120, saved']);
});

test('a board that refuses a file that was saved is asked once for each save', async () => {
  const turned = new Turned();
  turned.isRefused = true;
  await turned.pass(3 * MINUTE);
  turned.claim.saved();
  await turned.claim.end();
  await turned.pass(MINUTE);
  expect(turned.said).toEqual(['180: own until 182, saved']);
});

function expose(turned: Turned): Pick<Turned, 'claim' | 'said' | 'pass'> {
  return { claim: turned.claim, said: turned.said, pass: async (ms) => await turned.pass(ms) };
}
