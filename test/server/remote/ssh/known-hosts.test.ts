import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint, type HostKey, readHostKey } from '../../../../server/remote/ssh/host-key.ts';
import {
  hashedName,
  judgeHostKey,
  knownName,
  linesOf,
} from '../../../../server/remote/ssh/known-hosts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ONE = key('ssh-ed25519', 1);
const OTHER = key('ssh-ed25519', 2);
const RSA = key('ssh-rsa', 3);
const KEYS: Readonly<Record<string, HostKey>> = { ONE, OTHER, RSA };
const SALT = Buffer.alloc(20, 7);

/** In `text`, names of keys stand for them. */
function check(name: string, text: string, { host, is }: { host: string; is: string }): void {
  test(name, () => {
    const whole = text.replaceAll(/\b(?:ONE|OTHER|RSA)\b/g, (word) => {
      const found = KEYS[word];
      return `${found?.type} ${found?.key}`;
    });
    const verdict = judgeHostKey(linesOf([{ path: 'known_hosts', text: whole }], host), ONE);
    const lines =
      verdict.kind === 'changed'
        ? verdict.known
        : verdict.kind === 'revoked'
          ? [verdict.by]
          : verdict.kind === 'unknown'
            ? verdict.authorities
            : [];
    expect([verdict.kind, ...lines.map(({ line }) => line)].join(' ')).toBe(is);
  });
}

describe('a host', () => {
  check('is known by its name and its key', 'box ONE', { host: 'box', is: 'known' });
  check('is not known by a part of its name', 'bo ONE\nboxes ONE', { host: 'box', is: 'unknown' });
  check('is not known where nothing is', '', { host: 'box', is: 'unknown' });
  check('is one of several', 'a,box,b ONE', { host: 'box', is: 'known' });
  check('is known whatever its letters', 'BOX ONE', { host: 'box', is: 'known' });
  check('has changed when it shows another key', '\nbox OTHER', { host: 'box', is: 'changed 2' });
  check('has changed when it shows a key of another type', 'box RSA', {
    host: 'box',
    is: 'changed 1',
  });
  check('may have several keys', 'box OTHER\nbox RSA\nbox ONE', { host: 'box', is: 'known' });
  check('is known by a comment no more than by nothing', '# box ONE\nbox ONE # mine', {
    host: 'box',
    is: 'known',
  });
  check('is not what a comment says', '# box ONE', { host: 'box', is: 'unknown' });
  check('may have spaces and tabs before it', ' \tbox\t ONE', { host: 'box', is: 'known' });
  check('is known in a file of Windows', 'a OTHER\r\nbox ONE\r\n', { host: 'box', is: 'known' });
});

describe('a pattern', () => {
  check('of stars stands for any text', '*.example ONE', { host: 'a.b.example', is: 'known' });
  check('of a question mark stands for one letter', 'bo? ONE', { host: 'box', is: 'known' });
  check('of a question mark does not stand for none', 'box? ONE', { host: 'box', is: 'unknown' });
  check('that is negated takes a host out', '*.example,!b.example ONE', {
    host: 'b.example',
    is: 'unknown',
  });
  check('that is negated alone is for nobody', '!b ONE', { host: 'box', is: 'unknown' });
  check('has no brackets that stand for letters', '[b]ox ONE', { host: 'box', is: 'unknown' });
  check('has no dots that stand for letters', 'b.x ONE', { host: 'box', is: 'unknown' });
  check('takes no time that anybody would notice', `${'*a'.repeat(2000)}b ONE`, {
    host: 'a'.repeat(4000),
    is: 'unknown',
  });
});

test('patterns mean what OpenSSH means by them, whatever they are', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  const names = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 8 });
  const line = `ssh-ed25519 ${ONE.key}`;
  fc.assert(
    fc.property(letters, names, (pattern, name) => {
      const whole = pattern.replaceAll('.', '[.]').replaceAll('*', '.*').replaceAll('?', '.');
      const found = linesOf([{ path: 'x', text: `${pattern} ${line}` }], name).length === 1;
      expect(found).toBe(pattern !== '' && new RegExp(`^${whole}$`).test(name));
    }),
    { numRuns: 2000 },
  );
});

describe('a port', () => {
  const name = knownName({ hostname: 'Box', port: 2222, hostKeyAlias: undefined });
  check('belongs to the name', '[box]:2222 ONE', { host: name, is: 'known' });
  check('of its own is another host', 'box ONE\n[box]:22 ONE', { host: name, is: 'unknown' });
  test('that is the usual one is not mentioned, and an alias has none', () => {
    expect(knownName({ hostname: 'Box', port: 22, hostKeyAlias: undefined })).toBe('box');
    expect(knownName({ hostname: 'box', port: 2222, hostKeyAlias: 'Alias' })).toBe('alias');
  });
});

describe('a mark', () => {
  check('of a revoked key counts before all others', 'box ONE\n@revoked box ONE', {
    host: 'box',
    is: 'revoked 2',
  });
  check('of another revoked key is nothing to it', '@revoked * OTHER\nbox ONE', {
    host: 'box',
    is: 'known',
  });
  check('of an authority vouches for nobody by itself', '@cert-authority * ONE', {
    host: 'box',
    is: 'unknown 1',
  });
  check('that is not known is no line', '@trusted box ONE', { host: 'box', is: 'unknown' });
});

describe('a line', () => {
  const broken = [
    'box',
    'box ssh-ed25519',
    'box ssh-ed25519 !!!!',
    `box ssh-rsa ${ONE.key}`,
    `box ssh-ed25519 ${ONE.key.slice(0, 30)}`,
    `|1|${SALT.toString('base64')} ssh-ed25519 ${ONE.key}`,
    `|2|a|b ssh-ed25519 ${ONE.key}`,
    '\0\0\0',
    'box 1024 35 1234567890',
  ];
  for (const line of broken)
    check(`such as ${JSON.stringify(line)} is of no use and harms no other`, `${line}\nbox ONE`, {
      host: 'box',
      is: 'known',
    });
  check('may hide its host', `${hashedName('box', SALT)} ONE`, { host: 'box', is: 'known' });
  check('that hides a host is for no other', `${hashedName('box', SALT)} ONE`, {
    host: 'bax',
    is: 'unknown',
  });
});

describe('ssh-keygen agrees', () => {
  const NAMES = ['box', 'a.example', 'b.example', '[box]:2222', '10.0.0.1', 'nobody', 'x'];

  test('which lines are about a host, in the open and hashed', () => {
    const { file, line } = realKey();
    const text = `box,10.0.0.* ${line}
# a.example ${line}
*.example,!b.example ${line}
[box]:2222 ${line}
@revoked ? ${line}
`;
    writeFileSync(file, text);
    for (const name of NAMES) expect([name, find(file, name)]).toEqual([name, ask(file, name)]);
    execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' });
    expect(readFileSync(file, 'utf8')).toContain('|1|');
    for (const name of NAMES) expect([name, find(file, name)]).toEqual([name, ask(file, name)]);
  });

  test('what we hash is found', () => {
    const { file, line } = realKey();
    writeFileSync(file, `${hashedName('[box]:2222', SALT)} ${line}\n`);
    expect(ask(file, '[box]:2222')).toEqual([1]);
    expect(ask(file, 'box')).toEqual([]);
  });

  test('what the fingerprint of a key is', () => {
    const { file, line } = realKey();
    writeFileSync(file, line);
    const [type = '', text = ''] = line.split(' ');
    const said = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' });
    expect(said).toContain(fingerprint({ type, key: text }));
  });
});

function ask(file: string, name: string): readonly number[] {
  const { stdout } = spawnSync('ssh-keygen', ['-F', name, '-f', file], { encoding: 'utf8' });
  return [...stdout.matchAll(/found: line (\d+)/g)].map(([, line]) => Number(line));
}

function find(file: string, name: string): readonly number[] {
  return linesOf([{ path: file, text: readFileSync(file, 'utf8') }], name).map(({ line }) => line);
}

function realKey(): { readonly file: string; readonly line: string } {
  const folder = temporaryFolder();
  const name = path.join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', name]);
  const [type, text] = readFileSync(`${name}.pub`, 'utf8').split(' ');
  return { file: path.join(folder, 'known_hosts'), line: `${type} ${text}` };
}

function key(type: string, letter: number): HostKey {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  const blob = Buffer.concat([length, Buffer.from(type), Buffer.alloc(36, letter)]);
  const found = readHostKey(blob);
  if (found === undefined) throw new Error('It is a key.');
  return found;
}
