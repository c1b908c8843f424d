import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBundleHeader } from '../../../../server/remote/sync/bundle-header.ts';
import { treeFault } from '../../../../server/remote/sync/received-trees.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { rawTree } from './evil-objects.ts';

const HASH = 'a'.repeat(40);

test.each([
  '.git',
  '.GIT',
  '.Git',
  'git~1',
  'GIT~1',
  '.git ',
  '.git.',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.g\u200Cit',
  '\uFEFF.git',
  'sub\\.git',
  'git~1:stream',
  '.',
  '..',
  '..\\x',
  '',
  'a/b',
  'a/../b',
])('no file is called %j', (name) => {
  expect(treeFault(rawTree(['100644', name, HASH]), 20)).toMatch(/^a name /);
});

test.each([
  '.gitignore',
  '.gitmodules',
  'git',
  '.git2',
  'x.git',
  'git~10',
  '...',
  'back\\slash',
  ' ',
])('a file may be called %j', (name) => {
  expect(treeFault(rawTree(['100644', name, HASH]), 20)).toBeUndefined();
});

test.each([
  [
    'two of one name',
    rawTree(['100644', 'a', HASH], ['40000', 'a', HASH]),
    'two files have one name',
  ],
  [
    'a mode that is none',
    rawTree(['777777', 'a', HASH]),
    'a file has a mode that git does not know',
  ],
  [
    'half an entry',
    { hash: HASH, data: rawTree(['100644', 'a', HASH]).data.subarray(0, 20) },
    'a tree is cut off',
  ],
])('no tree has %s', (_, tree, fault) => {
  expect(treeFault(tree, 20)).toBe(fault);
});

const REFERENCE = 'refs/interlock/1/result';
const START = `# v2 git bundle\n-${HASH} before\n${HASH} ${REFERENCE}\n\n`;
const pack = (objects: number): Buffer => {
  const header = Buffer.from('PACK\0\0\0\u0002....');
  header.writeUInt32BE(objects, 8);
  return header;
};

test.each([
  ['a link to another repository', 'gitdir: /srv/other/.git\n', 'it is no bundle of git'],
  ['nothing', '', 'it is no bundle of git'],
  [
    'a header without end',
    `# v2 git bundle\n${`-${HASH}\n`.repeat(10_000)}`,
    'it is no bundle of git',
  ],
  ['no pack', `${START}nothing of that kind`, 'it is no bundle of git'],
  [
    'another reference',
    `# v2 git bundle\n${HASH} refs/heads/main\n\nPACK`,
    'it has something else in it than was asked for',
  ],
  [
    'one reference more',
    `# v2 git bundle\n${HASH} ${REFERENCE}\n${HASH} refs/heads/main\n\nPACK`,
    'it has something else in it than was asked for',
  ],
  [
    'another commit',
    `# v2 git bundle\n${'b'.repeat(40)} ${REFERENCE}\n\nPACK`,
    'it has something else in it than was asked for',
  ],
  [
    'a capability that is none',
    `# v3 git bundle\n@filter=blob:none\n${HASH} ${REFERENCE}\n\nPACK`,
    'it has something else in it than was asked for',
  ],
  ['more objects than bytes', Buffer.concat([Buffer.from(START), pack(4e9)]), /4000000000 objects/],
])('a file with %s is no bundle', (_, text, fault) => {
  const file = path.join(temporaryFolder(), 'bundle');
  writeFileSync(file, text);
  const header = readBundleHeader(file, { reference: REFERENCE, hash: HASH });
  expect(header).toEqual({ fault: expect.stringMatching(fault) });
});

test('a bundle says where its pack begins', () => {
  const file = path.join(temporaryFolder(), 'bundle');
  writeFileSync(file, Buffer.concat([Buffer.from(START), pack(3)]));
  const header = readBundleHeader(file, { reference: REFERENCE, hash: HASH });
  expect(header).toEqual({ packAt: START.length, objects: 3 });
});
