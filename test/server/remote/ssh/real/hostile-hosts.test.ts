import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { answer, linkTo, refusal, startSshd } from '../ssh-bench.ts';

/** Somebody who listens where a host should, and does this with whoever comes. */
async function impostor(act: (socket: Socket) => void): Promise<{ readonly configFile: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    act(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has a port.');
  const configFile = path.join(temporaryFolder(), 'config');
  writeFileSync(
    configFile,
    `Host box
  HostName 127.0.0.1
  Port ${address.port}
  ConnectTimeout 2
  UserKnownHostsFile /dev/null
  GlobalKnownHostsFile /dev/null
  IdentityAgent none
  IdentityFile /nowhere
`,
  );
  return { configFile };
}

/** For as long as somebody takes it. */
function pour(socket: Socket, bytes: Buffer | string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

for (const name of [
  '-oProxyCommand=touch pwn',
  '-oProxyCommand=touch\tpwn',
  'box; touch pwn',
  'box`touch pwn`',
  '$(touch pwn)',
  'box\ntouch pwn',
  'box touch pwn',
  "box' touch pwn '",
  'me;touch@box',
  '',
])
  test(`nothing runs for a host named ${JSON.stringify(name)}`, async () => {
    const folder = temporaryFolder();
    const program = path.join(folder, 'ssh');
    // Not even ssh is asked.
    writeFileSync(program, `#!/bin/sh\n: >${folder}/asked\n`, { mode: 0o755 });
    const link = linkTo({ configFile: path.join(folder, 'none') }, { destination: name, program });
    const { message, mayPass } = await refusal(link);
    expect(message).toMatch(/^".*" is no host that ssh could connect to\.$/);
    expect(mayPass).toBe(false);
    expect(existsSync(path.join(folder, 'asked')) || existsSync('pwn')).toBe(false);
  });

for (const [what, act] of [
  ['bytes without end', (socket) => pour(socket, Buffer.alloc(65_536, 0xa5))],
  ['lines without end', (socket) => pour(socket, 'welcome to this host\r\n'.repeat(3000))],
  ['one line without end', (socket) => pour(socket, 'x'.repeat(65_536))],
  ['nothing', () => {}],
  ['one letter', (socket) => socket.write('S')],
  ['that it is gone', (socket) => socket.destroy()],
  [
    'its name and then bytes without end',
    (socket) => {
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
      pour(socket, Buffer.alloc(65_536, 0xff));
    },
  ],
  [
    'its name and then a packet of 4 GiB',
    (socket) => {
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
      socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 4, 20]));
    },
  ],
  ['a name that is none', (socket) => socket.write('SSH-1.0-old\r\n')],
] as const satisfies readonly (readonly [string, (socket: Socket) => void])[])
  test(`a host that says ${what} is given up, and takes neither memory nor time`, async () => {
    const link = linkTo(await impostor(act));
    const before = process.memoryUsage().rss;
    const { message } = await refusal(link);
    expect(message).toMatch(/box.*\.$/);
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/[\p{Cc}]/u);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });

test('a host that has nothing in common with us is not asked again and again', async () => {
  const sshd = await startSshd({ settings: ['Ciphers 3des-cbc'] });
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect([message, mayPass]).toEqual([
    'There is no agreement with box on how to talk: Handshake failed: no matching C->S cipher.',
    false,
  ]);
  sshd.configure('Ciphers aes128-cbc');
  const own = await refusal(linkTo(sshd));
  expect([own.message, own.mayPass]).toEqual([
    'The ssh configuration of box allows no Ciphers that Interlock has.',
    false,
  ]);
});

test('whoever closes the link does not wait for a host that says nothing', async () => {
  const met = Promise.withResolvers<Socket>();
  const link = linkTo(await impostor(met.resolve));
  const opening = refusal(link);
  const socket = await met.promise;
  const gone = new Promise((resolve) => socket.once('close', resolve));
  link.close();
  expect((await opening).message).toContain('it was closed');
  await gone;
});

test('what is offered has strict key exchange, and nothing that Terrapin could use', async () => {
  const heard: Buffer[] = [];
  const link = linkTo(
    await impostor((socket) => {
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
      socket.on('data', (bytes) => {
        heard.push(bytes);
        const text = Buffer.concat(heard).toString('latin1');
        if (text.includes('hmac-sha2-256') && text.includes('none')) socket.destroy();
      });
    }),
  );
  await refusal(link);
  const text = Buffer.concat(heard).toString('latin1');
  expect(text).toContain('kex-strict-c-v00@openssh.com');
  expect(text).toContain('aes128-gcm@openssh.com');
  expect(text).not.toMatch(/chacha20|-cbc|arcfour|hmac-sha1|hmac-md5|ssh-dss|ssh-rsa|group1-/);
});

for (const [what, count, outcome] of [
  ['long banner is not shown to anybody', 3000, /^here$/],
  ['banner that is longer than any packet is the end', 20_000, /^box does not answer .*packet/],
] as const)
  test(`a ${what}`, async () => {
    const file = path.join(temporaryFolder(), 'banner');
    writeFileSync(file, `${'\u001B]0;owned\u0007'.repeat(count)}\n`);
    const sshd = await startSshd({ settings: [`Banner ${file}`] });
    const said = await answer(linkTo(sshd)).catch((error: unknown) => String(error));
    expect(said.replace(/^Error: /, '').trim()).toMatch(outcome);
    expect(said).not.toContain('owned');
  });
