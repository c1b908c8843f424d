import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PAYLOAD } from '../claim-clients.ts';
import { serveClient } from './serve-client.ts';

/** What the bench uses of a package that is not ours. */
interface BullMq {
  readonly Queue: new (name: string, options: object) => Queue;
  readonly Worker: new (
    name: string,
    work: () => Promise<void>,
    options: object,
  ) => {
    readonly on: (event: 'completed', listener: () => void) => void;
    readonly run: () => Promise<void>;
    readonly waitUntilReady: () => Promise<unknown>;
  };
}

interface Queue {
  readonly obliterate: (options: { readonly force: boolean }) => Promise<void>;
  readonly addBulk: (jobs: readonly object[]) => Promise<unknown>;
}

interface Target {
  readonly socket: string;
  readonly tasks: number;
  readonly packages: string;
}

const QUEUE = 'bench';
const CHUNK = 1000;

/** Its worker completes one job and fetches the next in one step, so there is no claim to time. */
await serveClient<Target>({
  fill: async (target) => {
    const { Queue } = load(target);
    const queue = new Queue(QUEUE, { connection: { path: target.socket } });
    await queue.obliterate({ force: true });
    const chunk = Array.from({ length: CHUNK }, () => ({ name: 'job', data: PAYLOAD }));
    for (let made = 0; made < target.tasks; made += CHUNK) await queue.addBulk(chunk);
  },
  connect: async (target) => {
    const { Worker } = load(target);
    const connection = { path: target.socket, maxRetriesPerRequest: null };
    const worker = new Worker(QUEUE, async () => {}, { connection, autorun: false });
    await worker.waitUntilReady();
    return async (durationMs) => {
      let cycles = 0;
      const start = performance.now();
      let last = start;
      worker.on('completed', () => {
        last = performance.now();
        cycles += 1;
      });
      void worker.run();
      await delay(durationMs);
      return { cycles, elapsedMs: last - start };
    };
  },
});

function load({ packages }: Target): BullMq {
  return createRequire(path.join(packages, 'package.json'))('bullmq');
}
