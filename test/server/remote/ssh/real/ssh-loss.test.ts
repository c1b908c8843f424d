import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostShell } from '../../../../../server/remote/host-shell.ts';
import { Heard } from '../../../../support/heard.ts';
import { untilFile } from '../../../../support/until-file.ts';
import { untilGone } from '../../../runners/command-bench.ts';
import { answer, countLogins, linkTo, refusal, startSshd } from '../ssh-bench.ts';

test('all channels share one connection, however many ask for it at once', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  const answers = await Promise.all(Array.from({ length: 8 }, async () => await answer(link)));
  expect(answers).toEqual(Array.from({ length: 8 }, () => 'here\n'));
  expect(countLogins(sshd)).toBe(1);
});

test('a small request does not wait for the acknowledgement of the one before', async () => {
  const channel = await linkTo(await startSshd()).open();
  const shell = await HostShell.greet(channel, { hello: 'some-word', onLost: () => {} });
  const took: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    const since = performance.now();
    await shell.ask('il_beat');
    took.push(performance.now() - since);
  }
  // That would be 40 ms each.
  expect(took.toSorted((a, b) => a - b)[10]).toBeLessThan(30);
});

test('new keys are agreed on while it is used, and nothing else changes', async () => {
  const sshd = await startSshd({ settings: ['RekeyLimit 1M'] });
  const link = linkTo(sshd);
  const much = await answer(link, 'head -c 8000000 /dev/zero');
  expect(much.length).toBe(8_000_000);
  expect(await answer(link)).toBe('here\n');
  expect(countLogins(sshd)).toBe(1);
});

test('a connection that is cut ends its channels, what runs in them, and nothing else', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  const channels = await Promise.all([link.open(), link.open()]);
  const heard = channels.map((channel) => new Heard(channel));
  const pids: number[] = [];
  for (const [index, channel] of channels.entries()) {
    channel.write("echo pid $$.; sh -c 'echo pid $$.; sleep 1000; :'\n");
    const [, shell, child] = (await heard[index]?.says(/pid (\d+)\.[^]*pid (\d+)\./)) ?? [];
    pids.push(Number(shell), Number(child));
  }
  sshd.cut();
  for (const each of heard) expect(await each.why).toMatch(/connection/);
  expect(heard.map(({ ends }) => ends)).toEqual([1, 1]);
  for (const pid of pids) await untilGone(pid);
  expect(await answer(link)).toBe('here\n');
  expect(countLogins(sshd)).toBe(2);
});

test('what had come before the cut is told before it', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  const channel = await link.open();
  const file = path.join(sshd.folder, 'printed');
  channel.write(`echo early; echo yes >${file}; sleep 1000\n`);
  const other = new Heard(await link.open());
  await untilFile(file, 'yes');
  // Whatever sshd had of one channel goes before what it has of another one later.
  await answer(link);
  sshd.cut();
  await other.why;
  const heard = new Heard(channel);
  expect(await heard.why).toMatch(/connection/);
  expect(heard.text).toBe('early\n');
});

test('a host that says nothing more is given up, and the next channel is another connection', async () => {
  const sshd = await startSshd();
  sshd.configure('ServerAliveInterval 1', 'ServerAliveCountMax 1');
  const link = linkTo(sshd);
  const heard = new Heard(await link.open());
  sshd.freeze();
  expect(await heard.why).toBe('the connection broke: it says nothing any more');
  expect(await answer(link)).toBe('here\n');
});

test('a channel of a host that is gone is closed at once', async () => {
  const sshd = await startSshd();
  const channel = await linkTo(sshd).open();
  const heard = new Heard(channel);
  sshd.freeze();
  channel.close();
  expect(await heard.why).toBe('it was closed');
});

test('whoever closes the link ends what is being opened, and all that is open', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  const heard = new Heard(await link.open());
  const opening = refusal(link);
  link.close();
  link.close();
  expect(await heard.why).toBe('it was closed');
  expect((await opening).message).toContain('it was closed');
  await expect(link.open()).rejects.toThrow('It was closed.');
  expect(countLogins(sshd)).toBe(1);
});

test('a link that is closed while it connects does not connect', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  const opening = refusal(link);
  link.close();
  expect((await opening).mayPass).toBe(true);
  expect(countLogins(sshd)).toBe(0);
});

test('a link that is closed waits neither for ssh nor for a host', async () => {
  const sshd = await startSshd();
  const file = path.join(sshd.folder, 'pid');
  const stuck = linkTo({ configFile: path.join(sshd.folder, 'stuck') });
  writeFileSync(
    path.join(sshd.folder, 'stuck'),
    `Match exec "echo $PPID $$ >${file}; exec sleep 1000"\n  Port 1\n`,
  );
  const opening = refusal(stuck);
  await untilFile(file, '\n');
  const [ssh, program] = readFileSync(file, 'utf8').split(' ').map(Number);
  onTestFinished(() => void process.kill(Number(program)));
  stuck.close();
  expect((await opening).message).toBe('It was closed.');
  await untilGone(Number(ssh));
});

test('where a connection has no room for more channels there are as many connections as it takes', async () => {
  const sshd = await startSshd({ settings: ['MaxSessions 2'] });
  const link = linkTo(sshd);
  const channels = await Promise.all(Array.from({ length: 5 }, async () => await link.open()));
  expect(countLogins(sshd)).toBe(3);
  channels[0]?.close();
  expect(await answer(link)).toBe('here\n');
  expect(countLogins(sshd)).toBe(3);
});

test('a host that allows no channels says so', async () => {
  const sshd = await startSshd({ settings: ['MaxSessions 0'] });
  expect(await refusal(linkTo(sshd))).toMatchObject({
    mayPass: false,
    message: 'box allows no channels. Raise MaxSessions in its sshd_config.',
  });
});

test('a user without a shell is told what the host says', async () => {
  const sshd = await startSshd({ settings: ['ForceCommand echo "not for you" >&2; exit 1'] });
  const heard = new Heard(await linkTo(sshd).open());
  expect(await heard.why).toBe('its shell has ended: not for you');
});

test('a host that was restarted is reached again by the same link', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  expect(await answer(link)).toBe('here\n');
  sshd.configure('Port 1');
  sshd.cut();
  expect((await refusal(link)).mayPass).toBe(true);
  sshd.configure();
  expect(await answer(link)).toBe('here\n');
});
