import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Channel, Link } from '../../../server/remote/channel.ts';
import { lyingLink, writingLink } from './sync/link-wrappers.ts';
import { HOST_SCRIPT } from '../../../server/remote/host-script.ts';
import { localLink } from '../../../server/remote/local-link.ts';
import type { MachineRunner } from '../../../server/remote/machine-runner.ts';
import { MachineSessions } from '../../../server/remote/sessions.ts';
import { EndLog } from '../../support/end-log.ts';
import { shell } from '../runners/command-bench.ts';
import { MachineBench } from './machine-bench.ts';

const MIB = 1024 * 1024;
const TIMING = {
  retryMs: { first: 5, most: 60_000 },
  beatMs: 20,
  silenceMs: 5000,
  staleMs: 60_000,
};

/** A host that prints `first` when it is logged in to, and replaces functions of our script. */
function lying(link: Link, lies: () => string, first = ''): Link {
  const open = async (): Promise<Channel> => {
    const channel = await link.open();
    channel.write(first);
    return channel;
  };
  return lyingLink({ close: () => link.close(), open }, HOST_SCRIPT, lies);
}

function liar(lies: string, first = '') {
  const bench = new MachineBench({ isFar: true, timing: TIMING });
  const ends = new EndLog();
  const env = { ...process.env, XDG_STATE_HOME: path.join(bench.root, '.state') };
  const told = { lies };
  bench.link = lying(localLink(env), () => told.lies, first);
  return { bench, ends, runner: bench.open(ends), told };
}

async function shunned(runner: MachineRunner): Promise<string> {
  return await vi.waitFor(
    () => {
      const { state } = runner.connection;
      if (state.kind !== 'unhealthy') throw new Error(`It is ${state.kind}.`);
      return state.why;
    },
    { timeout: 20_000 },
  );
}

const FOR = '; it is not used for 10 minutes, or until you check the host';

describe.each([
  ['an endless line', `il_beat() { tr '\\0' x </dev/zero; }`, 'a line of more than 64 KiB'],
  ['endless lines', `il_beat() { yes ' load 1'; }`, 'more than 10000 lines in one answer'],
  [
    'endless long lines',
    `il_beat() { yes ' ${'x'.repeat(30_000)}'; }`,
    'more than 1 MiB in one answer',
  ],
  [
    'a file that nothing asked for',
    `il_beat() { echo =8388608; cat /dev/zero; }`,
    'more pieces of a file than were asked for',
  ],
  [
    'endless ends of commands',
    `il_ends() { echo '!0'; awk 'BEGIN { for (i = 1; ; i += 1) print "!" i }'; }`,
    'more than 8 MiB within 10 seconds without being asked',
  ],
  [
    'endless notes of tmux',
    `il_control() { yes %sessions-changed; }`,
    'more than 8 MiB within 10 seconds without being asked',
  ],
  [
    'an endless answer of tmux',
    `il_control() { echo '%begin 1 2 1'; yes; }`,
    'more than 10000 lines in one answer of tmux',
  ],
] as const)('a host that sends %s', (_, lies, what) => {
  test('is left, keeps no memory, and stops nothing else', async () => {
    const before = process.memoryUsage().rss;
    const { bench, runner } = liar(lies);
    const other = new MachineBench({ isFar: true });
    const ends = new EndLog();
    const honest = other.open(ends);
    const launch = other.launch(shell('echo here'));
    honest.start(launch);
    expect(await shunned(runner)).toBe(`it sent ${what}${FOR}`);
    expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
    expect(other.outputOf(launch)).toBe('here\n');
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
    // It is not asked again and again.
    expect(bench.states.filter((state) => state === 'unhealthy')).toHaveLength(1);
  });
});

test('a login that never stops printing is left', async () => {
  const { runner } = liar('', 'yes welcome\n');
  expect(await shunned(runner)).toBe(`it sent more than 1 MiB before its shell was ready${FOR}`);
});

test('a host that was checked is tried again at once', async () => {
  const { runner, told } = liar(`il_beat() { yes ' load 1'; }`);
  await shunned(runner);
  told.lies = '';
  runner.connection.hurry();
  await vi.waitFor(() => expect(runner.connection.state.kind).toBe('reachable'));
});

test.each([
  [
    'sends more of a log than was asked for',
    `il_read() { printf '=%s\\n' 8388608; head -c 8388608 /dev/zero; }`,
    /^it sent 8388608 bytes of a file where \d+ were asked for;/,
  ],
  [
    'claims that a log has 900 TB',
    `il_sizes() { printf ' 900000000000000 t/%s.log\\n' "$1"; }`,
    /^it claims that one command has printed 900000000000000 bytes;/,
  ],
])('a host that %s is left, and the log here stays small', async (_, lies, why) => {
  const { bench, runner } = liar(lies);
  const launch = bench.launch(shell('echo begun >begun-$INTERLOCK_TERM; echo here; sleep 60'));
  runner.start(launch);
  expect(await shunned(runner)).toMatch(why);
  const folder = path.dirname(bench.logOf('any'));
  const bytes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  expect(Math.max(0, ...bytes)).toBeLessThan(MIB);
});

test('a log that grows for ever after its command has ended is brought up to a limit', async () => {
  const { bench, runner, ends } = liar(
    `il_sizes() { il_size=$((\${il_size:-0} + 600000)); printf ' %s t/%s.log\\n' "$il_size" "$1"; }
    il_read() { printf '=%s\\n' "$3"; head -c "$3" /dev/zero; }`,
  );
  const launch = bench.launch(shell('echo here'));
  runner.start(launch);
  expect(await ends.of(launch.term)).toEqual({ kind: 'succeeded' });
  expect(statSync(bench.logOf(launch.definition.id)).size).toBeLessThan(100 * MIB);
});

test('a host that lists sessions without end does not keep the one who asks', async () => {
  const link = lying(localLink(process.env), () => '');
  const sessions = await MachineSessions.reach({
    link: writingLink(link, (text, channel) => {
      channel.write(text);
      channel.write(`il_sessions() { yes ' session'; }\n`);
    }),
    board: 'b',
    word: 'b',
    hello: 'a-hello',
  });
  await expect(sessions.list()).rejects.toThrow('it sent more than 10000 lines in one answer');
  sessions.close();
});

test.each([
  ['shell', 'shell #{pane}', 'what it says for its "shell" is no word'],
  ['folder', `folder /${'x'.repeat(5000)}`, 'it says more than 4096 characters for its "folder"'],
])('a host that says of its %s what cannot be is not used', async (_, fact, why) => {
  const { runner } = liar(`il_beat() { echo ' load 1'; }
    il_facts() { printf ' %s\\n boot 1\\n shell 1\\n folder /\\n' '${fact}'; }`);
  await vi.waitFor(() => expect(runner.connection.state).toEqual({ kind: 'unreachable', why }));
});
