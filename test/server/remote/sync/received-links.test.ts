import { expect, test } from 'vitest';
import { type Found, refusedLinks } from '../../../../server/remote/sync/received-links.ts';

const somethingThere = (): Found => ({ kind: 'there' });
const OUT = 'it is a link that leads out of the folder';
const INTO_GIT = "it is a link that leads into git's own folder";

interface Case {
  readonly links: Readonly<Record<string, string>>;
  /** Links that are there; everything else is a folder or a file, but for what is called "missing". */
  readonly there?: Readonly<Record<string, string>>;
  readonly earlier?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
}

test.each<readonly [string, Case]>([
  ['a link beside it', { links: { 'out/a': 'b' }, refused: {} }],
  ['a link that leads to the top', { links: { 'out/a': '..' }, refused: {} }],
  ['a link to what is not there', { links: { 'out/a': '../missing/x' }, refused: {} }],
  ['an absolute link', { links: { a: '/etc/passwd' }, refused: { a: OUT } }],
  ['a link out of the top', { links: { 'out/a': '../../x' }, refused: { 'out/a': OUT } }],
  [
    'a link through a link that is there',
    { links: { a: 'vendor/x' }, there: { vendor: '../elsewhere' }, refused: { a: OUT } },
  ],
  [
    'a link through a link of a link',
    {
      links: { a: 'one/x' },
      there: { one: 'two', two: 'three/..', three: '/etc' },
      refused: { a: OUT },
    },
  ],
  [
    'two links that lead out only together',
    { links: { 'out/d': '..', 'out/e': 'd/../x' }, refused: { 'out/e': OUT } },
  ],
  [
    'a link that makes an earlier one lead out',
    {
      links: { 'out/d': '..' },
      there: { 'out/e': 'd/../x' },
      earlier: { 'out/e': 'd/../x' },
      refused: { 'out/d': 'it makes another link lead out of the folder' },
    },
  ],
  [
    "a link into git's folder",
    { links: { 'out/a': '../.git/hooks' }, refused: { 'out/a': INTO_GIT } },
  ],
  [
    "a link into git's folder in other words",
    {
      links: {
        a: '.GIT',
        b: 'git~1/config',
        c: '.git::$INDEX_ALLOCATION',
        d: '.git. /x',
        e: '.g\u200Cit',
      },
      refused: { a: INTO_GIT, b: INTO_GIT, c: INTO_GIT, d: INTO_GIT, e: INTO_GIT },
    },
  ],
  [
    "a link through a link into git's folder",
    { links: { a: 'b/config' }, there: { b: '.git' }, refused: { a: INTO_GIT } },
  ],
  [
    'a way back through something that may be anything later',
    {
      links: { a: 'missing/../x' },
      refused: { a: 'it is a link that leads back through something that is not there' },
    },
  ],
  [
    'links in a circle',
    {
      links: { a: 'b', b: 'a' },
      refused: {
        a: 'it is a link that leads through too many others',
        b: 'it is a link that leads through too many others',
      },
    },
  ],
  [
    'a link that is a folder where case does not count',
    {
      links: { Out: 'src' },
      files: ['out/x'],
      refused: { Out: 'it is a link whose name differs from another only in case' },
    },
  ],
  [
    'a link through another one in other letters',
    { links: { 'sub/D': '..', 'sub/e': 'd/../x' }, refused: { 'sub/e': OUT } },
  ],
])('%s', (_, { links, there = {}, earlier = {}, files = [], refused }) => {
  const look = (path: string): Found => {
    const to = there[path];
    if (to !== undefined) return { kind: 'link', to };
    return path.split('/').includes('missing') ? { kind: 'absent' } : { kind: 'there' };
  };
  const wanted = {
    links: new Map(Object.entries(links)),
    names: [...files, ...Object.keys(links)],
    earlier: new Map(Object.entries(earlier)),
    look,
  };
  expect(Object.fromEntries(refusedLinks(wanted))).toEqual(refused);
});

test('links that lead through each other without end are judged in time', () => {
  const count = 2000;
  const links = new Map(
    Array.from({ length: count }, (_, at) => [`l${at}`, `l${(at + 1) % count}`] as const),
  );
  const refused = refusedLinks({
    links,
    names: [...links.keys()],
    earlier: new Map(),
    look: somethingThere,
  });
  expect(refused.size).toBe(count);
});
