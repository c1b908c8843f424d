import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  personKey,
  readSessionName,
  SESSION_ROLES,
  type SessionKey,
  sessionName,
} from '../../../server/domain/session-name.ts';

function nameOf(repo: string, work: string, role: SessionKey['role'] = 'runner'): string {
  const named = sessionName({ repo, work, role });
  return named.kind === 'named' ? named.name : named.message;
}

function check(sentence: string, [repo, work]: readonly [string, string], name: RegExp): void {
  it(sentence, () => {
    expect(nameOf(repo, work)).toMatch(name);
  });
}

describe('the name of a session', () => {
  check(
    'says the repository, the work and the role',
    ['shop', 'api'],
    /^aivcs__shop__api__runner$/,
  );
  check('has small letters', ['Shop', 'API'], /^aivcs__shop__api__runner$/);
  check('keeps "-" and single "_"', ['my-shop', 'a_b'], /^aivcs__my-shop__a_b__runner$/);
  check('marks a changed character', ['shop', 'a.b'], /^aivcs__shop__a-b-[0-9a-f]{6}__runner$/);
  check('marks what is not English', ['Büro', 'x'], /^aivcs__b-ro-[0-9a-f]{6}__x__runner$/);
  check(
    'takes only A to Z for a change of case',
    ['\u212A', 'x'],
    /^aivcs__--[0-9a-f]{6}__x__runner$/,
  );
  check('keeps the separator out of parts', ['a__b', 'c'], /^aivcs__a--b-[0-9a-f]{6}__c__runner$/);
  check('keeps its halves off the edges', ['a_', '_b'], /^aivcs__a--[0-9a-f]{6}__-b-[0-9a-f]{6}__/);
  check(
    'marks what looks marked',
    ['shop', 'a-facade'],
    /^aivcs__shop__a-facade-[0-9a-f]{6}__runner$/,
  );
  check('is refused with ".."', ['shop', 'a..b'], /^The name of the work has "\.\." in it/);
  check('is refused with "/"', ['a/b', 'c'], /^The name of the repository has "\/" in it/);
  check('is refused without a repository', ['', 'c'], /^The name of the repository is empty/);
  check('is refused without work', ['shop', ''], /^The name of the work is empty/);
  check('takes 100 characters', ['shop', 'a'.repeat(100)], /^aivcs__shop__a{100}__runner$/);
  check(
    'is refused with 101',
    ['shop', 'a'.repeat(101)],
    /^The name of the work has more than 100/,
  );
});

/** Texts in which what matters comes often. */
const part = fc
  .array(
    fc.oneof(
      fc.constantFrom('_', '__', '-', '.', 'a', 'b', 'A', ' ', ':', '#(', '0'),
      fc.stringMatching(/^-[0-9a-f]{6}$/),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
  .filter(
    (text) => !text.includes('..') && !text.includes('/') && text.length <= 100 && text !== '',
  );
const key = fc.record({ repo: part, work: part, role: fc.constantFrom(...SESSION_ROLES) });

describe('names of sessions', () => {
  it('are words of a shell and of tmux', () => {
    fc.assert(
      fc.property(key, ({ repo, work, role }) => {
        expect(nameOf(repo, work, role)).toMatch(/^aivcs__[a-z0-9_-]+$/);
      }),
    );
  });

  it('lead back to their parts', () => {
    fc.assert(
      fc.property(key, ({ repo, work, role }) => {
        const name = nameOf(repo, work, role);
        const read = readSessionName(name);
        expect(['aivcs', read?.repo, read?.work, read?.role].join('__')).toBe(name);
      }),
    );
  });

  it('are not shared by keys that differ in more than case', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        const isSame = folded(one) === folded(other);
        fc.pre(!isSame);
        expect(nameOf(one.repo, one.work, one.role)).not.toBe(
          nameOf(other.repo, other.work, other.role),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('are not shared with a key that is made of another name', () => {
    fc.assert(
      fc.property(key, ({ repo, work, role }) => {
        const name = nameOf(repo, work, role);
        const read = readSessionName(name);
        if (read === undefined || folded({ repo, work, role }) === folded(read)) return;
        expect(nameOf(read.repo, read.work, role)).not.toBe(name);
      }),
      { numRuns: 2000 },
    );
  });
});

test('the full keys of sessions of people are never the same, and words of tmux', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      expect(personKey('b', one)).toMatch(/^b:human:[\w.%-]+:[\w.%-]+$/);
      const isSame = one.repo === other.repo && one.work === other.work;
      expect(personKey('b', one) === personKey('b', other)).toBe(isSame);
    }),
  );
});

describe('a name that is read', () => {
  for (const name of [
    'aivcs__shop__api',
    'aivcs__shop__api__robot',
    'aivcs__shop__api__runner__more',
    'other__shop__api__runner',
    'aivcs____api__runner',
    'aivcs__Shop__api__runner',
    'aivcs__shop___api__runner',
    'interlock-control-12',
  ])
    it(`is not ours as "${name}"`, () => {
      expect(readSessionName(name)).toBeUndefined();
    });
});

function folded({ repo, work, role }: SessionKey): string {
  return JSON.stringify([repo, work, role]).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
