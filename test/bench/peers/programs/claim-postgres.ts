import { createRequire } from 'node:module';
import path from 'node:path';
import { PAYLOAD } from '../claim-clients.ts';
import { cycling, serveClient } from './serve-client.ts';

/** What the bench uses of a package that is not ours. */
interface Pg {
  readonly Client: new (options: object) => Connection;
}

interface Connection {
  readonly connect: () => Promise<void>;
  readonly query: (query: string | object) => Promise<{ readonly rows: readonly Task[] }>;
}

interface Task {
  readonly id: string;
  readonly term: number;
}

interface Target {
  readonly socketFolder: string;
  readonly user: string;
  readonly tasks: number;
  readonly packages: string;
}

await serveClient<Target>({
  fill: async (target) => {
    const connection = await open(target);
    await connection.query(`DROP TABLE IF EXISTS task;
      CREATE TABLE task (id bigserial PRIMARY KEY, state int NOT NULL DEFAULT 0,
        term int NOT NULL DEFAULT 0, owner int, payload text NOT NULL);
      INSERT INTO task (payload) SELECT '${PAYLOAD}' FROM generate_series(1, ${target.tasks});
      CREATE INDEX ready ON task (id) WHERE state = 0;
      ANALYZE task; CHECKPOINT`);
  },
  connect: async (target) => {
    const connection = await open(target);
    const claim = {
      name: 'claim',
      text: `UPDATE task SET state = 1, term = term + 1, owner = $1 WHERE id =
        (SELECT id FROM task WHERE state = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, term, payload`,
      values: [process.pid],
    };
    const text = 'UPDATE task SET state = 2 WHERE id = $1 AND term = $2 AND state = 1';
    return cycling({
      claim: async () => (await connection.query(claim)).rows[0],
      complete: async ({ id, term }) =>
        await connection.query({ name: 'complete', text, values: [id, term] }),
    });
  },
});

async function open({ socketFolder, user, packages }: Target): Promise<Connection> {
  const load = createRequire(path.join(packages, 'package.json'));
  const { Client }: Pg = load('pg');
  const connection = new Client({ host: socketFolder, user, database: 'postgres' });
  await connection.connect();
  return connection;
}
