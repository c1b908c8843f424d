import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isDestination,
  readSshConfig,
  type SshConfig,
  type SshSurroundings,
} from '../../../../server/remote/ssh/ssh-config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const AROUND: SshSurroundings = {
  env: { SSH_AUTH_SOCK: '/run/agent', KEYS: '/keys' },
  home: '/people/ada',
  localUser: 'ada',
  localHost: 'desk.example',
  uid: 1000,
};
const PLAIN = 'user ada\nhostname box.example\nport 22\n';

const read = (lines: string, destination = 'box'): SshConfig =>
  readSshConfig(`${lines}\n${PLAIN}`, destination, AROUND);

/** As OpenSSH 9.2 says it. */
const RECORDED = `host box
user build
hostname 10.0.0.7
port 2222
addressfamily inet6
identitiesonly yes
proxyusefdpass no
stricthostkeychecking false
hashknownhosts yes
serveralivecountmax 2
serveraliveinterval 7
hostkeyalgorithms ssh-ed25519-cert-v01@openssh.com,ssh-ed25519,rsa-sha2-512
hostkeyalias al-%h
identityagent /people/ada/agent.sock
identityfile ~/.ssh/%h_key
identityfile /tmp/with space/key
certificatefile ~/c-cert.pub
globalknownhostsfile /etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2
userknownhostsfile /people/ada/.ssh/known_10 /tmp/with space/kh
connecttimeout 5
`;

test('what ssh -G says is read', () => {
  expect(readSshConfig(RECORDED, 'box', AROUND)).toEqual({
    destination: 'box',
    hostname: '10.0.0.7',
    port: 2222,
    user: 'build',
    family: 6,
    way: { kind: 'direct' },
    hostKeyAlias: 'al-%h',
    userKnownHosts: ['/people/ada/.ssh/known_10', '/tmp/with space/kh'],
    globalKnownHosts: ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
    isHashingKnownHosts: true,
    identityFiles: ['/people/ada/.ssh/10.0.0.7_key', '/tmp/with space/key'],
    certificateFiles: ['/people/ada/c-cert.pub'],
    isIdentitiesOnly: true,
    agent: '/people/ada/agent.sock',
    connectTimeoutMs: 5000,
    beat: { everyMs: 7000, most: 2 },
    algorithms: {
      hostKeys: ['ssh-ed25519-cert-v01@openssh.com', 'ssh-ed25519', 'rsa-sha2-512'],
      ciphers: undefined,
      macs: undefined,
      exchanges: undefined,
    },
  });
});

describe('a word of the configuration', () => {
  test('that says none is none', () => {
    const config = read(
      'proxyjump none\nproxycommand none\nidentityagent none\nuserknownhostsfile none\nconnecttimeout none\nserveraliveinterval 0\nhostkeyalias none',
    );
    expect(config).toMatchObject({ way: { kind: 'direct' }, userKnownHosts: [] });
    expect(config.agent).toBeUndefined();
    expect(config.connectTimeoutMs).toBeUndefined();
    expect(config.beat).toBeUndefined();
    expect(config.hostKeyAlias).toBeUndefined();
  });

  for (const [said, socket] of [
    ['', '/run/agent'],
    ['identityagent SSH_AUTH_SOCK', '/run/agent'],
    ['identityagent $SSH_AUTH_SOCK', '/run/agent'],
    ['identityagent ~/%r.sock', '/people/ada/ada.sock'],
  ] as const)
    test(`leads to the agent: ${said || 'nothing'}`, () => expect(read(said).agent).toBe(socket));

  test('has tokens, a home and variables in it', () => {
    const line = 'identityfile ~/%d/%h-%p-%r-%n-%u-%i-%l-%L-%k-%%-${KEYS}';
    expect(read(line, 'me@alias').identityFiles).toEqual([
      '/people/ada//people/ada/box.example-22-ada-me@alias-ada-1000-desk.example-desk-box.example-%-/keys',
    ]);
  });

  test('may be an address in brackets', () => {
    const config = readSshConfig('user a\nhostname [::1]\nport 22', '[::1]', AROUND);
    expect(config.hostname).toBe('::1');
  });

  test('names jumps, or a command in which everything is in its place', () => {
    expect(read('proxyjump a@b:22,c@[::1]:2200').way).toEqual({
      kind: 'jump',
      jumps: ['a@b:22', 'c@[::1]:2200'],
    });
    expect(read('proxycommand nc -X %h %p "a b" %%').way).toEqual({
      kind: 'command',
      command: 'nc -X box.example 22 "a b" %',
    });
  });

  for (const [lines, why] of [
    ['identityfile ~/%Z', 'has "~/%Z", which Interlock cannot read'],
    ['identityfile ~other/key', 'has "~other/key", which Interlock cannot read'],
    ['userknownhostsfile ${NOBODY}/x', 'which Interlock cannot read'],
    ['proxycommand nc %h %Q', 'has a strange %-sign in its ProxyCommand'],
    ['proxycommand nc %h\nproxyusefdpass yes', 'has ProxyUseFdpass'],
    ['proxyjump a,-oProxyCommand=x', 'has a strange ProxyJump'],
    ['revokedhostkeys /etc/krl', 'has RevokedHostKeys, which Interlock cannot check'],
    ['hostname a;b', 'has a host name, a user or a port that cannot be one'],
    ['hostname -oProxyCommand=x', 'has a host name, a user or a port that cannot be one'],
    ['user $(id)', 'has a host name, a user or a port that cannot be one'],
    ['port 0', 'has a host name, a user or a port that cannot be one'],
    ['port 99999', 'has a host name, a user or a port that cannot be one'],
  ] as const)
    test(`is refused: ${lines.replace('\n', ', ')}`, () => {
      expect(() => read(lines)).toThrow(`The ssh configuration of box`);
      expect(() => read(lines)).toThrow(why);
    });

  test('is refused where there is none', () => {
    expect(() => readSshConfig('', 'box', AROUND)).toThrow(/^The ssh configuration of box/);
  });
});

describe('a destination', () => {
  for (const good of ['box', 'me@box', 'a.b-c_d', '10.0.0.1', '[::1]', 'ssh://me@box:22'])
    test(`may be ${good}`, () => expect(isDestination(good)).toBe(true));

  for (const bad of [
    '',
    '-oProxyCommand=touch pwn',
    '--',
    'a;b',
    'a b',
    'a\nb',
    'box\n',
    '`id`',
    '$(id)',
    'a|b',
    'a&b',
    "a'b",
    'a"b',
    'a\\b',
    'a/b',
    'a\0b',
    '#a',
    'a'.repeat(300),
  ])
    test(`may not be ${JSON.stringify(bad.slice(0, 30))}`, () =>
      expect(isDestination(bad)).toBe(false));
});

test('the ssh of this machine says what we read', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'more'), 'Host box\n  ProxyJump me@gate:2200\n');
  const config = path.join(folder, 'config');
  writeFileSync(
    config,
    `Include ${folder}/more
Match host box exec "true"
  User matched
Host box
  HostName 10.0.0.7
  Port 2222
  User late
  IdentityFile ${folder}/key
  UserKnownHostsFile ${folder}/known_%h
  HostKeyAlias other
  ConnectTimeout 3
`,
  );
  const said = execFileSync('ssh', ['-F', config, '-G', '--', 'box'], { encoding: 'utf8' });
  const found = readSshConfig(said, 'box', { ...AROUND, home: os.homedir() });
  expect(found).toMatchObject({
    hostname: '10.0.0.7',
    port: 2222,
    user: 'matched',
    way: { kind: 'jump', jumps: ['me@gate:2200'] },
    hostKeyAlias: 'other',
    connectTimeoutMs: 3000,
  });
  expect(found.identityFiles).toContain(`${folder}/key`);
  expect(found.userKnownHosts).toEqual([`${folder}/known_10.0.0.7`]);
  expect(found.algorithms.hostKeys).toContain('ssh-ed25519');
});
