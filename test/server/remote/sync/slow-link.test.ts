import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel, Link } from '../../../../server/remote/channel.ts';
import { localLink } from '../../../../server/remote/local-link.ts';
import { MachineConnection } from '../../../../server/remote/machine-connection.ts';
import { filesIn, SyncBench } from './sync-bench.ts';

/** Sixteen times as fast as in life: so is the way. */
const TIMING = { retryMs: { first: 30, most: 300 }, beatMs: 300, silenceMs: 900, staleMs: 4000 };
const BYTES_PER_MS = 1000;

test('what is large gets over a slow way, and nobody takes that for silence', async () => {
  const bench = new SyncBench();
  const way = slowWay(localLink({ ...process.env, HOME: bench.homeThere }));
  bench.link = way;
  bench.commit({ 'large.bin': noise(3_000_000) });
  const states: string[] = [];
  const connection = new MachineConnection(
    {
      link: way,
      board: 'slow',
      newWord: () => 'a-slow-word',
      random: () => 0.5,
      faulted: (error) => {
        throw error;
      },
      timing: TIMING,
    },
    {
      onReached: nothing,
      onLost: nothing,
      onEnd: nothing,
      onStirred: nothing,
      onGivenUp: nothing,
      onState: ({ kind }) => states.push(kind),
    },
  );
  onTestFinished(() => connection.close());
  connection.begin();
  expect(filesIn(await bench.prepare())).toEqual(filesIn(bench.tree));
  expect(states).not.toContain('reconnecting');
});

/** One wire for all channels: what is written waits for what was written before, whoever wrote it. */
function slowWay(link: Link): Link {
  const channels = new Set<Channel>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    open: async () => {
      const channel = await link.open();
      channels.add(channel);
      return {
        write: (text) => {
          const bytes = Buffer.from(text);
          last = sendAfter(last, { bytes, channel });
        },
        listen: (listener) => channel.listen(listener),
        close: () => channel.close(),
      };
    },
    renew: () => {
      for (const channel of channels) channel.close();
      channels.clear();
      last = Promise.resolve();
    },
    close: () => link.close(),
  };
}

async function sendAfter(
  last: Promise<unknown>,
  { bytes, channel }: { readonly bytes: Buffer; readonly channel: Channel },
): Promise<void> {
  await last;
  await delay(bytes.length / BYTES_PER_MS);
  channel.write(bytes);
}

/** Of which nothing gets smaller when it is packed. */
function noise(bytes: number): string {
  let seed = 1;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    }),
  ).toString('latin1');
}

function nothing(): void {}
