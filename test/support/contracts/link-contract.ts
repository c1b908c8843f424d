import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel, Link } from '../../../server/remote/channel.ts';
import { HostShell } from '../../../server/remote/host-shell.ts';
import { Heard } from '../heard.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { untilGone } from '../../server/runners/command-bench.ts';

const MUCH = 8 * 1024 * 1024;

/** What whoever runs something on a machine relies on, however it gets there. */
export function linkContract(openLink: () => Link): void {
  const opened = async (): Promise<Channel> => {
    const link = openLink();
    onTestFinished(() => link.close());
    return await link.open();
  };
  bytesContract(opened);
  channelsContract(openLink);
  endContract(opened);
}

function bytesContract(opened: () => Promise<Channel>): void {
  test('a shell does what is written to it, and what it prints comes back', async () => {
    const channel = await opened();
    const heard = new Heard(channel);
    channel.write('echo "one $((1 + 1))"\n');
    expect((await heard.says(/one 2\n/)).length).toBe(1);
    channel.close();
  });

  test('eight MiB go there and come back as they were', async () => {
    const channel = await opened();
    const heard = new Heard(channel);
    channel.write('echo ready; exec cat\n');
    await heard.says(/ready\n$/);
    const before = heard.bytes.length;
    const text = randomBytes(MUCH / 2).toString('hex');
    channel.write(text);
    const all = await heard.has(before + MUCH);
    expect(all.subarray(before).equals(Buffer.from(text))).toBe(true);
    channel.close();
  });

  test('eight MiB of any bytes come as they are, and the end after them', async () => {
    const file = path.join(temporaryFolder(), 'bytes');
    const bytes = randomBytes(MUCH);
    writeFileSync(file, bytes);
    const channel = await opened();
    channel.write(`echo; echo ready; exec cat ${file}\n`);
    const heard = new Heard(channel);
    await heard.why;
    const all = heard.bytes;
    expect(all.subarray(all.indexOf('ready\n') + 6).equals(bytes)).toBe(true);
  });

  test('a host shell greets over it, and answers', async () => {
    const channel = await opened();
    const shell = await HostShell.greet(channel, { hello: 'a-word-of-its-own', onLost: () => {} });
    const lines = [expect.stringMatching(/^load /)];
    expect(await shell.ask('il_beat')).toMatchObject({ status: 0, lines });
    shell.close();
  });
}

function channelsContract(openLink: () => Link): void {
  test('channels of one link are at work at the same time, and each hears its own', async () => {
    const link = openLink();
    onTestFinished(() => link.close());
    const channels = await Promise.all(Array.from({ length: 8 }, async () => await link.open()));
    const heard = channels.map((channel) => new Heard(channel));
    // None of them goes on before all have begun.
    for (const [index, channel] of channels.entries())
      channel.write(`echo ready; read x; echo "$x ${index}."\n`);
    for (const each of heard) await each.says(/ready\n/);
    for (const channel of channels.toReversed()) channel.write('hello\n');
    for (const [index, each] of heard.entries())
      expect((await each.says(/hello (\d+)\.\n/))[1]).toBe(String(index));
    for (const channel of channels) channel.close();
  });
}

function endContract(opened: () => Promise<Channel>): void {
  test('nothing is lost before somebody listens, and the end is told to who comes after it', async () => {
    const channel = await opened();
    channel.write('echo early; exit 3\n');
    const other = await opened();
    other.write('exit\n');
    await new Heard(other).why;
    const heard = new Heard(channel);
    expect(await heard.why).toMatch(/^[a-z]/);
    expect(heard.text).toContain('early\n');
    expect(heard.ends).toBe(1);
  });

  test('whoever closes a channel ends what runs in it, and is told once that it has ended', async () => {
    const channel = await opened();
    const heard = new Heard(channel);
    channel.write("echo pid $$.; sh -c 'echo pid $$.; sleep 1000; :'\n");
    const [, shell, child] = await heard.says(/pid (\d+)\.[^]*pid (\d+)\./);
    channel.close();
    channel.close();
    expect(await heard.why).toMatch(/^[a-z]/);
    await untilGone(Number(shell));
    await untilGone(Number(child));
    channel.write('echo nobody hears this\n');
    expect(heard.ends).toBe(1);
    expect(heard.text).not.toContain('nobody');
  });
}
