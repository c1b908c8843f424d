import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { isFinal, NEW_TASK, type TaskState, transition } from '../../server/domain/task.ts';
import { LiveBoard } from '../../server/engine/live-board.ts';
import type { LedgerEntry, Snapshot, Store } from '../../server/engine/store-port.ts';
import { BoardDirectory } from '../../server/system/board-directory.ts';
import { SystemClock } from '../../server/system/clock.ts';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import { isDeepStrictEqual } from 'node:util';
import { digestOf } from './ledger-digest.ts';
import type { Entries } from './probe.ts';
import type { Stage } from './stage.ts';

/** What must never be, by the column of the table that counts it. */
export type Column = 'granted twice' | 'lost' | 'started twice' | 'stuck' | 'other';

export interface Violation {
  readonly column: Column;
  readonly what: string;
}

export interface Strictness {
  /** Slots were killed, too: then nobody knows how their commands ended. */
  readonly mayLoseResults: boolean;
}

/** Everything that is to be found on a board when all is over: from its ledger, and from the journal. */
export function violationsOf(stage: Stage, strictness: Strictness): readonly Violation[] {
  const found: Violation[] = [];
  const see = (column: Column, what: string): void => void found.push({ column, what });
  const store = openBoardOf(stage);
  try {
    if (store.movedAside !== undefined) see('other', 'the database was damaged');
    const entries = store.events(0, Number.MAX_SAFE_INTEGER);
    const claims = claimsIn(entries, see);
    checkLedger(store, entries, see);
    checkStarts(stage.journal, claims, see);
    checkGrants(stage.journal, claims, see);
    checkDone({ stage, entries, store, see });
    if (!strictness.mayLoseResults) checkResults(stage.journal, entries, see);
    checkTold(stage.journal, entries, see);
  } finally {
    store.close();
  }
  for (const words of stage.journal) if (words[0] === 'fault') see('other', words.join(' '));
  if (stage.errors !== '') see('other', `on the error output: ${stage.errors.slice(0, 500)}`);
  return found;
}

export function tenuresOf(stage: Stage): number {
  const store = openBoardOf(stage);
  const { tenure } = store.snapshot();
  store.close();
  return tenure;
}

function openBoardOf({ root, state }: Stage): SqliteStore {
  const file = new BoardDirectory(root, { INTERLOCK_STATE_DIR: state }).databaseFile;
  return new SqliteStore(file, { clock: new SystemClock() });
}

type See = (column: Column, what: string) => void;

interface Claimed {
  readonly key: string;
  readonly worker: string;
}

/** Who was given what, by the term. Terms and tenures only grow. */
function claimsIn(entries: readonly LedgerEntry[], see: See): ReadonlyMap<number, Claimed> {
  const claims = new Map<number, Claimed>();
  let [lastTerm, lastTenure] = [0, 0];
  for (const { event, sequence } of entries) {
    if (event.kind === 'tenureBegan') {
      if (event.tenure <= lastTenure) see('other', `tenure ${event.tenure} after ${lastTenure}`);
      lastTenure = event.tenure;
    }
    if (event.kind !== 'taskMoved' || event.event.kind !== 'taskClaimed') continue;
    const { term, worker } = event.event;
    if (term <= lastTerm) see('granted twice', `term ${term} after ${lastTerm} (${sequence})`);
    lastTerm = Math.max(term, lastTerm);
    claims.set(term, { key: `${event.run}/${event.task}`, worker });
  }
  return claims;
}

/** Nothing is missing, the tables say the same, and all has come to an end. */
function checkLedger(store: Store, entries: readonly LedgerEntry[], see: See): void {
  const snapshot = store.snapshot();
  const base = snapshot.revision - snapshot.entries.length;
  let next = base + 1;
  for (const { sequence } of entries) {
    if (sequence <= base) continue;
    if (sequence !== next) see('other', `entry ${next} is missing before ${sequence}`);
    next = sequence + 1;
  }
  for (const { manifest, status } of store.runs(1000)) {
    const states = store.statesOf(manifest.id);
    if (base === 0) checkFold(manifest.id, { states, entries, see });
    const open = [...states].filter(([, state]) => !isFinal(state));
    if (status === 'finished' && open.length === 0) continue;
    const names = open.map(([task, { kind }]) => `${task} ${kind}`).join(', ');
    see('stuck', `run ${manifest.id} is ${status}: ${names}`);
  }
  checkModel(snapshot, store, see);
}

function checkFold(
  run: RunId,
  { states, entries, see }: Told & { readonly states: ReadonlyMap<TaskId, TaskState> },
): void {
  const folded = new Map([...states.keys()].map((task): [TaskId, TaskState] => [task, NEW_TASK]));
  for (const { event, sequence } of entries) {
    if (event.kind !== 'taskMoved' || event.run !== run) continue;
    const result = transition(folded.get(event.task) ?? NEW_TASK, event.event);
    if (result.kind === 'moved') folded.set(event.task, result.state);
    else see('other', `entry ${sequence} does not follow from those before it: ${result.why}`);
  }
  for (const [task, state] of states)
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(folded.get(task))), plain(state)))
      see(
        'other',
        `the table says ${JSON.stringify(state)} of ${run}/${task}, the ledger does not`,
      );
}

function plain(state: TaskState): unknown {
  return JSON.parse(JSON.stringify(state));
}

interface Told {
  readonly entries: readonly LedgerEntry[];
  readonly see: See;
}

/** The board in memory can be had from the ledger, and knows of the same runs. */
function checkModel(snapshot: Snapshot, store: Store, see: See): void {
  try {
    const { model } = new LiveBoard(snapshot, { foldCase: false });
    const entries = [...model.runs.values()].flatMap((run) => run.entries);
    for (const { id, state, run } of entries) {
      const said = store.statesOf(run.manifest.id).get(id);
      if (isDeepStrictEqual(plain(state), said)) continue;
      see('other', `the board in memory differs from the table at ${run.manifest.id}/${id}`);
    }
  } catch (error) {
    see('other', `the ledger is no board: ${String(error)}`);
  }
}

/** Of one term a command starts once, with a claim, and never beside another of the same task. */
function checkStarts(journal: Entries, claims: ReadonlyMap<number, Claimed>, see: See): void {
  const started = new Set<string>();
  for (const [word, key = '', term = ''] of journal) {
    if (word === 'twice') see('started twice', `two commands of ${key} at once (term ${term})`);
    if (word !== 'start') continue;
    if (started.has(term)) see('started twice', `term ${term} of ${key} started twice`);
    started.add(term);
    if (claims.get(Number(term))?.key !== key)
      see('started twice', `${key} started with term ${term}, which nobody has given it`);
  }
}

/** What an agent was promised is in the ledger, for it alone. */
function checkGrants(journal: Entries, claims: ReadonlyMap<number, Claimed>, see: See): void {
  const operations = new Map<string, string>();
  for (const [word, key = '', term = '', worker = '', operation = ''] of journal) {
    if (word !== 'granted') continue;
    const claim = claims.get(Number(term));
    if (claim?.key !== key || claim.worker !== worker)
      see(
        'granted twice',
        `${worker} has term ${term} of ${key}, the ledger gave it to ${claim?.worker}`,
      );
    const before = operations.get(term);
    if (before !== undefined && before !== operation)
      see('granted twice', `term ${term} of ${key} was given for two operations`);
    operations.set(term, operation);
  }
  // Who got no answer asked the same again, so every claim of an agent was told to it.
  for (const [term, { key, worker }] of claims)
    if (worker.startsWith('agent/') && !operations.has(String(term)))
      see('granted twice', `${worker} was given ${key} (term ${term}), and was never told`);
}

/** What an agent has completed, and was told so, is completed. */
function checkDone({ stage, entries, store, see }: Told & { stage: Stage; store: Store }): void {
  const completed = termsOf(entries, 'taskCompleted');
  for (const [word, key = '', term = ''] of stage.journal) {
    if (word !== 'done') continue;
    const [run, task] = key.split('/');
    const states = store.runs(1000).find(({ manifest }) => manifest.id === run);
    const state =
      states && [...store.statesOf(states.manifest.id)].find(([id]) => id === task)?.[1];
    if (!completed.has(Number(term)) || state?.kind !== 'completed')
      see('lost', `${key} was completed with term ${term}, and is ${state?.kind}`);
  }
}

/** A command that came to its end counts, unless somebody had asked it to end. */
function checkResults(journal: Entries, entries: readonly LedgerEntry[], see: See): void {
  const settled = termsOf(entries, 'taskCompleted', 'taskFailed', 'stopAsked');
  for (const [word, key = '', term = '', code = ''] of journal)
    if (word === 'end' && !settled.has(Number(term)))
      see('lost', `${key} ended with ${code} under term ${term}, and nobody knows of it`);
}

function termsOf(entries: readonly LedgerEntry[], ...kinds: readonly string[]): Set<number> {
  const terms = new Set<number>();
  for (const { event } of entries)
    if (event.kind === 'taskMoved' && kinds.includes(event.event.kind) && 'term' in event.event)
      terms.add(event.event.term);
  return terms;
}

/** What was told is on the disk, word for word, and one process after the other told it. */
function checkTold(journal: Entries, entries: readonly LedgerEntry[], see: See): void {
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  const over = new Set<string>();
  let [lastTold, teller] = [0, ''];
  for (const [word, pid = '', from = '', to = '', digest = ''] of journal) {
    if (word !== 'told') continue;
    const [first, last] = [Number(from), Number(to)];
    if (over.has(pid)) see('other', `process ${pid} decided while ${teller} did`);
    if (pid !== teller) over.add(teller);
    teller = pid;
    if (first <= lastTold) see('other', `entry ${first} was told after ${lastTold}`);
    lastTold = last;
    const told = Array.from({ length: last - first + 1 }, (_, index) =>
      bySequence.get(first + index),
    );
    const known = told.filter((entry) => entry !== undefined);
    if (known.length === told.length && digestOf(known) !== digest)
      see('other', `the entries ${first} to ${last} are not what was told`);
    if (known.length !== told.length && bySequence.has(1))
      see('lost', `of the entries ${first} to ${last} that were told some are gone`);
  }
}
