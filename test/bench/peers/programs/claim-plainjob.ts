import { createRequire } from 'node:module';
import path from 'node:path';
import Database from 'better-sqlite3';
import { PAYLOAD } from '../claim-clients.ts';
import { cycling, serveClient } from './serve-client.ts';

/** What the bench uses of a package that is not ours. */
interface Plainjob {
  readonly better: (database: Database.Database) => unknown;
  readonly defineQueue: (options: { readonly connection: unknown; logger: object }) => Queue;
}

interface Queue {
  readonly addMany: (type: string, data: readonly unknown[]) => unknown;
  readonly getAndMarkJobAsProcessing: (type: string) => { readonly id: number } | undefined;
  readonly getJobById: (id: number) => unknown;
  readonly markJobAsDone: (id: number) => void;
}

interface Target {
  readonly file: string;
  readonly sync: string;
  readonly tasks: number;
  readonly packages: string;
}

const TYPE = 'bench';
const ignore = (): void => {};

/** As its own worker does: mark the job, read it, mark it again. */
await serveClient<Target>({
  fill: (target) => {
    open(target).addMany(
      TYPE,
      Array.from({ length: target.tasks }, () => PAYLOAD),
    );
  },
  connect: (target) => {
    const queue = open(target);
    return cycling({
      claim: () => {
        const job = queue.getAndMarkJobAsProcessing(TYPE);
        if (job !== undefined) queue.getJobById(job.id);
        return job;
      },
      complete: ({ id }) => queue.markJobAsDone(id),
    });
  },
});

function open({ file, sync, packages }: Target): Queue {
  const load = createRequire(path.join(packages, 'package.json'));
  const { better, defineQueue }: Plainjob = load('plainjob');
  const database = new Database(file);
  const logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };
  const queue = defineQueue({ connection: better(database), logger });
  // It has set its own while it opened the file.
  database.pragma(`synchronous = ${sync}`);
  return queue;
}
