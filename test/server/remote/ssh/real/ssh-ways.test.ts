import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Heard } from '../../../../support/heard.ts';
import type { Sshd } from '../../../../support/sshd.ts';
import { untilFile } from '../../../../support/until-file.ts';
import { untilGone } from '../../../runners/command-bench.ts';
import { answer, countLogins, linkTo, refusal, startSshd } from '../ssh-bench.ts';

/** A host that is reached over others, each of them by its own name. */
async function behind(gates: Readonly<Record<string, Sshd>>, ...lines: string[]): Promise<Sshd> {
  const sshd = await startSshd();
  sshd.configure(...lines);
  for (const [name, gate] of Object.entries(gates)) {
    const config = readFileSync(gate.configFile, 'utf8').replace('Host box', `Host ${name}`);
    appendFileSync(sshd.configFile, config);
  }
  return sshd;
}

const logins = (...all: readonly Sshd[]): readonly number[] => all.map(countLogins);

test('a jump is made by ssh itself, once for all channels', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate }, 'ProxyJump gate');
  const link = linkTo(sshd);
  expect(await answer(link)).toBe('here\n');
  expect(await answer(link)).toBe('here\n');
  expect(logins(gate, sshd)).toEqual([1, 1]);
});

test('several jumps are made one after the other', async () => {
  const [first, second] = [await startSshd(), await startSshd()];
  const sshd = await behind({ first, second }, 'ProxyJump first,second');
  expect(await answer(linkTo(sshd))).toBe('here\n');
  expect(logins(first, second, sshd)).toEqual([1, 1, 1]);
});

test('a jump may be written with a user and a port', async () => {
  const gate = await startSshd();
  const sshd = await behind({ '127.0.0.1': gate }, `ProxyJump root@127.0.0.1:${gate.port}`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('a jump over a host that is not known is not made, and what ssh says of it is told', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate }, 'ProxyJump gate');
  writeFileSync(gate.knownHostsFile, '');
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect(message).toMatch(
    /^box does not answer \(127\.0\.0\.1 port \d+\): .*Its proxy said: .*Host key verification failed/,
  );
  expect(mayPass).toBe(true);
  expect(logins(gate, sshd)).toEqual([0, 0]);
});

test('behind a jump the key of the host itself is looked at', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate }, 'ProxyJump gate');
  sshd.know([]);
  expect((await refusal(linkTo(sshd))).message).toContain('box is not known');
  expect(logins(gate, sshd)).toEqual([1, 0]);
});

test('a proxy command is run by the shell of the user, and ends with the connection', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate });
  const file = path.join(sshd.folder, 'pid');
  const proxy = `env A="$(echo 'a  b')" sh -c 'echo "$$ %%h=%h %%r=%r $A" >${file}; exec ssh -F ${sshd.configFile} -W %h:%p gate'`;
  const config = readFileSync(sshd.configFile, 'utf8');
  writeFileSync(
    sshd.configFile,
    config.replace('Host box', () => `Host box\n  ProxyCommand ${proxy}`),
  );
  const link = linkTo(sshd, { env: { ...process.env, SHELL: '/bin/bash' } });
  const channel = await link.open();
  await untilFile(file, '\n');
  const [pid = '', ...rest] = readFileSync(file, 'utf8').trim().split(' ');
  expect(rest.join(' ')).toBe('%h=127.0.0.1 %r=root a  b');
  const heard = new Heard(channel);
  link.close();
  await heard.why;
  await untilGone(Number(pid));
});

test('what a proxy says when it fails reaches the user in one plain line', async () => {
  const sshd = await startSshd();
  sshd.configure(String.raw`ProxyCommand printf 'no way\n\033[2Jat all' >&2; exit 3`);
  const { message } = await refusal(linkTo(sshd));
  expect(message).toContain('Its proxy said: no way [2Jat all. Check that "ssh box" works');
});

for (const [what, script] of [
  ['reads nothing', 'exec <&-; sleep 0.2; echo too late >&2'],
  ['leaves something running', 'sleep 1000 >/dev/null </dev/null & echo too late >&2'],
] as const)
  test(`a proxy that ${what} is heard before it is given up`, async () => {
    const sshd = await startSshd();
    sshd.configure(`ProxyCommand sh -c "${script}"`);
    const { message } = await refusal(linkTo(sshd));
    expect(message).toContain('Its proxy said: too late.');
    expect(message).not.toContain('in time');
  });

test('a proxy that ends takes the channels with it, and the next one begins anew', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate }, 'ProxyJump gate');
  const link = linkTo(sshd);
  const heard = new Heard(await link.open());
  gate.cut();
  expect(await heard.why).toMatch(/^[a-z]/);
  expect(await answer(link)).toBe('here\n');
  expect(logins(gate, sshd)).toEqual([2, 2]);
});

test('a proxy that talks without end on its error output holds nothing up', async () => {
  const gate = await startSshd();
  const sshd = await behind({ gate });
  const noise = String.raw`head -c 10000000 /dev/zero | tr '\0' x >&2`;
  const command = `${noise}; exec ssh -F ${sshd.configFile} -W %h:%p gate`;
  const config = readFileSync(sshd.configFile, 'utf8');
  writeFileSync(
    sshd.configFile,
    config.replace('Host box', () => `Host box\n  ProxyCommand sh -c "${command}"`),
  );
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('a way that nobody can go is said to be none', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  sshd.configure('ProxyCommand /nowhere/proxy %h');
  expect((await refusal(link)).message).toMatch(/Its proxy said: .*not found|No such file/);
  sshd.configure('Port 1');
  expect(await refusal(linkTo(sshd))).toMatchObject({
    mayPass: true,
    message:
      'box does not answer (127.0.0.1 port 1): nobody listens there. Check that "ssh box" works in a terminal.',
  });
  sshd.configure('HostName no-such-host.invalid');
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect(message).toMatch(/its name (is not known|cannot be looked up now)/);
  expect(mayPass).toBe(true);
});

test('where there is no ssh, or its configuration is wrong, that is said', async () => {
  const sshd = await startSshd();
  expect((await refusal(linkTo(sshd, { program: '/nowhere/ssh' }))).message).toBe(
    'There is no program "/nowhere/ssh" on this machine. Install the client of OpenSSH.',
  );
  sshd.configure('NoSuchThing yes');
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect(message).toMatch(/^The ssh configuration of box cannot be read: .*nosuchthing/i);
  expect(mayPass).toBe(false);
});
