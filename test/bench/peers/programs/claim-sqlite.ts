import Database from 'better-sqlite3';
import { PAYLOAD } from '../claim-clients.ts';
import { cycling, serveClient } from './serve-client.ts';

interface Target {
  readonly file: string;
  readonly sync: string;
  readonly tasks: number;
}

interface Task {
  readonly id: number;
  readonly term: number;
}

const BUSY_MS = 60_000;

/** The least that a durable queue can do: each claim and each completion is one statement. */
await serveClient<Target>({
  fill: (target) => {
    const database = open(target);
    database.exec(`CREATE TABLE task (
      id INTEGER PRIMARY KEY, state INTEGER NOT NULL, term INTEGER NOT NULL, owner INTEGER,
      payload TEXT NOT NULL) STRICT;
      CREATE INDEX ready ON task (id) WHERE state = 0`);
    const insert = database.prepare('INSERT INTO task (state, term, payload) VALUES (0, 0, ?)');
    database.transaction(() => {
      for (let made = 0; made < target.tasks; made += 1) insert.run(PAYLOAD);
    })();
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  },
  connect: (target) => {
    const database = open(target);
    const claim = database.prepare<[number], Task>(`UPDATE task
      SET state = 1, term = term + 1, owner = ?
      WHERE id = (SELECT id FROM task WHERE state = 0 ORDER BY id LIMIT 1)
      RETURNING id, term, payload`);
    const complete = database.prepare<[number, number]>(
      'UPDATE task SET state = 2 WHERE id = ? AND term = ? AND state = 1',
    );
    return cycling({
      claim: () => claim.get(process.pid),
      complete: ({ id, term }) => complete.run(id, term),
    });
  },
});

function open({ file, sync }: Target): Database.Database {
  const database = new Database(file, { timeout: BUSY_MS });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${sync}`);
  return database;
}
