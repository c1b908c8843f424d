import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel, ChannelListener } from '../../../server/remote/channel.ts';
import { readFacts } from '../../../server/remote/host-facts.ts';
import { HostShell } from '../../../server/remote/host-shell.ts';
import type { Machine } from '../../../server/remote/machine.ts';
import { PulledLogs } from '../../../server/remote/pulled-logs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Of 16 bytes: a little more than is kept. */
const LINES = 750_000;

test('what was brought here and joined before the way was lost is not brought once more', async () => {
  const file = path.join(temporaryFolder(), 'log');
  const lines = Array.from({ length: LINES }, (_, at) => `${at}`.padEnd(15));
  const printed = Buffer.from(`${lines.join('\n')}\n`);
  const logs = new PulledLogs();
  onTestFinished(() => logs.close());
  await logs.begin(1, file, await machine(printed));
  await logs.finish(1, file);
  const whole = readFileSync(file);
  expect(whole.toString()).toContain('bytes left out');
  // It was lost before anybody got to say that all of it is here.
  await logs.begin(1, file, await machine(printed));
  await delay(300);
  await logs.finish(1, file);
  expect(readFileSync(file).equals(whole)).toBe(true);
});

test('the end of a log is brought also where another look brings a part of it at that time', async () => {
  const file = path.join(temporaryFolder(), 'log');
  const printed = Buffer.from('0123456789abcdef'.repeat(20_000));
  const logs = new PulledLogs();
  onTestFinished(() => logs.close());
  const finished = Promise.withResolvers<void>();
  const first = await machine(printed, () => finished.resolve(logs.finish(1, file)));
  await logs.begin(1, file, first);
  await finished.promise;
  expect(readFileSync(file).equals(printed)).toBe(true);
});

test('what a full disk has taken of a piece does not come twice', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'log');
  const printed = '0123456789abcdef'.repeat(4096);
  writeFileSync(path.join(folder, 'printed'), printed);
  const module = pathToFileURL(path.resolve('server/remote/pulled-logs.ts')).href;
  const program = `
    import { readFileSync, statSync } from 'node:fs';
    const { PulledLogs } = await import(${JSON.stringify(module)});
    const printed = readFileSync(${JSON.stringify(path.join(folder, 'printed'))});
    const ask = async () => ({ lines: [printed.length + ' t/1.log'], pieces: [] });
    const askForPieces = async (_, word, term, at, bytes) => ({
      lines: [],
      pieces: [printed.subarray(at, at + bytes)],
    });
    const logs = new PulledLogs();
    await logs.begin(1, ${JSON.stringify(file)}, { shell: { ask, askForPieces } });
    const error = await logs.finish(1, ${JSON.stringify(file)}).catch((error) => error);
    console.log(error?.code, statSync(${JSON.stringify(file)}).size);
    process.exit();`;
  writeFileSync(path.join(folder, 'program.mjs'), program);
  const command = `trap '' XFSZ; ulimit -f 20; exec "$0" program.mjs`;
  const { stdout } = spawnSync('/bin/sh', ['-c', command, process.execPath], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('EFBIG 0\n');
});

/** On which one command has printed this. */
async function machine(printed: Buffer, onFirstLook = () => {}): Promise<Machine> {
  let looks = 0;
  let listener: ChannelListener | undefined;
  const say = (...pieces: readonly (Buffer | string)[]): void =>
    listener?.onBytes(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  const answer = (text: string): void => {
    const [, id = '', word = '', words = ''] = /^il_ask (\d+) '(\w+)'(.*)/.exec(text) ?? [];
    const [, at = 0, bytes = 0] = [...words.matchAll(/\d+/g)].map(Number);
    const piece = printed.subarray(at, at + bytes);
    if (word === 'il_sizes' && (looks += 1) === 1) onFirstLook();
    if (id === '') say('\nhello\n');
    else if (word === 'il_sizes') say(` ${printed.length} t/1.log\n.${id} 0\n`);
    else if (word === 'il_read') say(`=${piece.length}\n`, piece, `.${id} 0\n`);
    else say(`.${id} 0\n`);
  };
  const channel: Channel = {
    write: (text) => queueMicrotask(() => answer(String(text))),
    listen: (heard) => (listener = heard),
    close: () => {},
  };
  const shell = await HostShell.greet(channel, { hello: 'hello', onLost: () => {} });
  return { facts: readFacts(0, ['folder /']), shell, control: undefined, close: () => {} };
}
