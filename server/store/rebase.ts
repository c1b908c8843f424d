import type { Database, Statement } from 'better-sqlite3';
import type { RunId } from '../domain/ids.ts';
import { checkSum, rowSum } from './row-sum.ts';
import type { Statements } from './statements.ts';

/** So many runs that have ended are kept. */
const RUNS_KEPT = 200;
/** So many ids are kept of runs that are not: none of them is given to another run. */
const IDS_KEPT = 100_000;

interface Pruning {
  readonly oldRuns: Statement<[], { id: RunId }>;
  readonly deleteEvents: Statement<[{ run: RunId }]>;
  readonly deleteTasks: Statement<[{ run: RunId }]>;
  readonly deleteRun: Statement<[{ run: RunId }]>;
  readonly keepId: Statement<[{ run: RunId }]>;
  readonly deleteIds: Statement<[]>;
  readonly deleteEventsBetween: Statement<[{ after: number; upTo: number }]>;
}

/** Replaces the ledger so far by what it amounts to. */
export class Rebase {
  readonly #statements: Statements;
  readonly #pruning: Pruning;

  constructor(database: Database, statements: Statements) {
    this.#statements = statements;
    this.#pruning = prepare(database);
  }

  /** What the ledger goes on from. */
  read(): { readonly revision: number; readonly facts: unknown } {
    const row = this.#statements.base.get();
    if (row === undefined) return { revision: 0, facts: undefined };
    const { revision, facts, sum } = row;
    checkSum('base', sum, [revision, facts]);
    return { revision, facts: JSON.parse(facts) };
  }

  write(facts: unknown, revision: number): readonly RunId[] {
    const { replaceBase, base } = this.#statements;
    const before = base.get()?.revision ?? 0;
    const text = JSON.stringify(facts);
    replaceBase.run({ revision, facts: text, sum: rowSum(revision, text) });
    const pruned = this.#pruneRuns();
    // Whatever lies further back has been looked through already.
    this.#pruning.deleteEventsBetween.run({ after: before, upTo: revision });
    return pruned;
  }

  #pruneRuns(): readonly RunId[] {
    const { oldRuns, deleteEvents, deleteTasks, deleteRun, keepId, deleteIds } = this.#pruning;
    const runs = oldRuns.all().map(({ id }) => id);
    for (const run of runs) {
      deleteEvents.run({ run });
      deleteTasks.run({ run });
      deleteRun.run({ run });
      keepId.run({ run });
    }
    if (runs.length > 0) deleteIds.run();
    return runs;
  }
}

function prepare(database: Database): Pruning {
  return {
    oldRuns: database.prepare(
      `select id from run where outcome is not null
       order by number desc limit -1 offset ${RUNS_KEPT}`,
    ),
    deleteEvents: database.prepare('delete from event where run_id = @run'),
    deleteTasks: database.prepare('delete from run_task where run_id = @run'),
    deleteRun: database.prepare('delete from run where id = @run'),
    keepId: database.prepare('insert into pruned_run (id) values (@run)'),
    deleteIds: database.prepare(
      `delete from pruned_run
       where number <= (select max(number) from pruned_run) - ${IDS_KEPT}`,
    ),
    // A renewal says nothing to people, and neither does what is about no run.
    deleteEventsBetween: database.prepare(
      `delete from event
       where sequence > @after and sequence <= @upTo
         and (run_id is null or kind = 'taskMoved' and body ->> '$.event.kind' = 'leaseRenewed'
           or not exists (select 1 from run where run.id = event.run_id))`,
    ),
  };
}
