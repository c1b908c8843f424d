import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Launch } from '../../../server/engine/ports.ts';
import { BoundedLog } from '../../../server/runners/bounded-log.ts';
import { readLog } from '../../../server/runners/growing-log.ts';
import { EndLog } from '../../support/end-log.ts';
import { untilFile } from '../../support/until-file.ts';
import { CommandBench, program, shell } from './command-bench.ts';

const MIB = 1024 * 1024;
const KEPT = 10 * MIB;
const SMALL_FLOOD = '300M';
/** As much as the contract promises takes most of a minute: `10G`. */
const FLOOD = process.env['INTERLOCK_FLOOD'] ?? SMALL_FLOOD;

const SUCCEEDED = { kind: 'succeeded' };

async function shown(file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readLog(file)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** All that is in the folder of the logs: parts count as well. */
function usedBytes(bench: CommandBench, launch: Launch): number {
  const folder = path.dirname(bench.logOf(launch));
  return readdirSync(folder)
    .map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0)
    .reduce((sum, blocks) => sum + blocks * 512, 0);
}

function marker(bytes: number): string {
  return `\n… ${bytes} bytes left out …\n`;
}

/** What is left of an output that is too long. */
function cut(all: Buffer): Buffer {
  const leftOut = Buffer.from(marker(all.length - KEPT));
  return Buffer.concat([all.subarray(0, MIB), leftOut, all.subarray(-9 * MIB)]);
}

test('what fits is kept as it is, to the last byte', async () => {
  const bench = new CommandBench();
  const { end, launch } = await bench.run(bench.open(), program('head', '-c', '10M', '/dev/zero'));
  expect(end).toEqual(SUCCEEDED);
  expect(statSync(bench.logOf(launch)).size).toBe(KEPT);
  expect((await shown(bench.logOf(launch))).equals(Buffer.alloc(KEPT))).toBe(true);
});

const NUMBERS = 'seq 1000000 9999999';

function allNumbers(): Buffer {
  return execFileSync('sh', ['-c', NUMBERS], { maxBuffer: 100 * MIB });
}

test('of what is too long the first and the last part are kept, in one file', async () => {
  const bench = new CommandBench();
  const { end, launch } = await bench.run(bench.open(), shell(NUMBERS));
  expect(end).toEqual(SUCCEEDED);
  const log = readFileSync(bench.logOf(launch));
  expect(log.equals(cut(allNumbers()))).toBe(true);
  expect(readdirSync(path.dirname(bench.logOf(launch)))).toHaveLength(1);
  expect((await shown(bench.logOf(launch))).equals(log)).toBe(true);
});

test('what came before anybody looked is cut at its end, and once', async () => {
  const bench = new CommandBench();
  const file = path.join(bench.root, 'log');
  const all = allNumbers();
  writeFileSync(file, all);
  expect((await shown(file)).equals(cut(all))).toBe(true);
  await new BoundedLog(file).finish();
  expect(readFileSync(file).equals(cut(all))).toBe(true);
  // Somebody who did not see it happen finishes it once more.
  expect(new BoundedLog(file).finish()).toBeUndefined();
});

test('where no part of a file can be given back the last part is moved out of the way', async () => {
  const bench = new CommandBench();
  const file = path.join(bench.root, 'log');
  const all = allNumbers();
  const log = new BoundedLog(file, { punch: async () => Promise.resolve(false) });
  for (let at = 20 * MIB; at <= 60 * MIB; at += 20 * MIB) {
    writeFileSync(file, all.subarray(at - 20 * MIB, at), { flag: 'a' });
    await log.look();
    expect(statSync(file).size).toBe(MIB);
    expect(log.totalBytes).toBe(at);
    expect((await shown(file)).equals(cut(all.subarray(0, at)))).toBe(true);
  }
  writeFileSync(file, 'the end', { flag: 'a' });
  await log.finish();
  const expected = cut(Buffer.concat([all.subarray(0, 60 * MIB), Buffer.from('the end')]));
  expect(readFileSync(file).equals(expected)).toBe(true);
  expect(readdirSync(bench.root)).not.toContain('log.tail');
});

test('what is written while the last part is moved may be lost, and nothing else', async () => {
  const bench = new CommandBench();
  const file = path.join(bench.root, 'log');
  const log = new BoundedLog(file, { punch: async () => Promise.resolve(false) });
  const writer = spawn('sh', ['-c', `${NUMBERS} >>${file}; echo the end >>${file}`]);
  const ended = once(writer, 'exit');
  while (writer.exitCode === null) {
    await log.look();
    await new Promise(setImmediate);
  }
  await ended;
  await log.finish();
  const text = readFileSync(file).toString();
  expect(text.startsWith('1000000\n1000001\n')).toBe(true);
  const said = [...text.matchAll(/\n… (\d+) bytes left out …\n/g)].map(([, bytes]) =>
    Number(bytes),
  );
  expect(said.length).toBeGreaterThan(0);
  expect(said.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(72_000_008 - KEPT + 100);
  expect(statSync(file).size).toBeLessThan(KEPT + 100);
});

test('a flood without a line end is cut while it comes, and nobody waits for it', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(shell(`head -c ${FLOOD} /dev/zero; echo over`));
  let peak = 0;
  let longestPause = 0;
  let lastTurn = performance.now();
  runner.start(launch);
  const watcher = watch(path.dirname(bench.logOf(launch)), () => {
    peak = Math.max(peak, usedBytes(bench, launch));
  });
  const turns = setInterval(() => {
    const now = performance.now();
    longestPause = Math.max(longestPause, now - lastTurn);
    lastTurn = now;
  }, 5);
  onTestFinished(() => {
    watcher.close();
    clearInterval(turns);
  });
  expect(await bench.ends.of(launch.term)).toEqual(SUCCEEDED);
  // A small one may be over before a busy machine looks at it for the first time.
  const isSmall = FLOOD === SMALL_FLOOD;
  if (!isSmall) console.log(`Peak ${peak / MIB} MiB, longest pause ${longestPause} ms.`);
  expect(peak).toBeLessThan(isSmall ? Infinity : 500 * MIB);
  expect(statSync(bench.logOf(launch)).size).toBeLessThan(KEPT + 100);
  expect((await shown(bench.logOf(launch))).subarray(-5).toString()).toBe('over\n');
  expect(usedBytes(bench, launch)).toBeLessThan(KEPT + MIB);
}, 60_000);

test('what is kept can be read while the command still writes', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(
    shell(
      'echo first; head -c 40M /dev/zero; echo last; mkfifo told; touch said; read x < told; echo more',
    ),
  );
  runner.start(launch);
  await untilFile(path.join(bench.root, 'said'));
  const total = 'first\n'.length + 40 * MIB + 'last\n'.length;
  while (runner.outputBytes(launch.term) !== total) await new Promise(setImmediate);
  const start = 'first\n';
  const all = Buffer.concat([Buffer.from(start), Buffer.alloc(40 * MIB), Buffer.from('last\n')]);
  expect((await shown(bench.logOf(launch))).equals(cut(all))).toBe(true);
  writeFileSync(path.join(bench.root, 'told'), '\n');
  expect(await bench.ends.of(launch.term)).toEqual(SUCCEEDED);
  expect((await shown(bench.logOf(launch))).subarray(-10).toString()).toBe('last\nmore\n');
});

test('whoever adopts a command goes on where the log has been cut', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(
    shell(
      'echo first; head -c 40M /dev/zero; mkfifo told; touch said; read x < told; head -c 30M /dev/zero; echo last',
    ),
  );
  const { place, run, term, definition } = launch;
  runner.start(launch);
  await untilFile(path.join(bench.root, 'said'));
  while (runner.outputBytes(term) !== 6 + 40 * MIB) await new Promise(setImmediate);
  runner.close();
  const next = new EndLog();
  const attempt = { place, run, term, task: definition.id, process: undefined };
  const successor = bench.open(next);
  await successor.adopt([attempt]);
  while (successor.outputBytes(term) !== 6 + 40 * MIB) await new Promise(setImmediate);
  writeFileSync(path.join(bench.root, 'told'), '\n');
  expect(await next.of(term)).toEqual(SUCCEEDED);
  const all = [Buffer.from('first\n'), Buffer.alloc(70 * MIB), Buffer.from('last\n')];
  expect((await shown(bench.logOf(launch))).equals(cut(Buffer.concat(all)))).toBe(true);
});

test('the output of a command is counted while it runs', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const launch = bench.launch(shell('mkfifo told; printf 12345; read x < told'));
  runner.start(launch);
  while (runner.outputBytes(launch.term) !== 5) await new Promise(setImmediate);
  writeFileSync(path.join(bench.root, 'told'), '\n');
  await bench.ends.of(launch.term);
  expect(runner.outputBytes(launch.term)).toBeUndefined();
});

test('a log that is not there shows nothing', async () => {
  const bench = new CommandBench();
  expect(await shown(path.join(bench.root, 'missing.log'))).toHaveLength(0);
});
