import { displayLine, displayText, inShort } from '../domain/display-text.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { type Instant, instant, isOver } from '../domain/time.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { OwnerOfPerson } from '../scheduler/model/past-people.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { isRunner, withoutWindow } from '../scheduler/model/workers.ts';

/** A task or paths that a worker has now. */
export interface HeldThing {
  /** The same for as long as it is the same claim. */
  readonly key: string;
  readonly what: 'task' | 'paths' | 'unsaved' | 'saved';
  readonly name: string;
  readonly title: string;
  readonly worker: WorkerId;
  /** Absent where nobody claimed a task for it. */
  readonly claim: HeldTask | undefined;
  readonly writes: readonly string[];
  readonly since: Instant;
  readonly heardAt: Instant;
  readonly expiresAt: Instant | undefined;
}

interface HeldTask {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  /** The folder of its plan, and the plan. */
  readonly root: string;
  readonly plan: string;
}

/** What everybody has, by whose it is; a person's windows are the person. */
export function heldThings(
  board: BoardModel,
  now: Instant,
): ReadonlyMap<WorkerId, readonly HeldThing[]> {
  const all: HeldThing[] = [];
  for (const claim of board.claims.pushed) all.push(heldTask(claim));
  for (const claim of board.claims.pulled) all.push(heldTask(claim));
  for (const [id, owner] of board.owners.people)
    if (!isOver(owner.until, now)) all.push(heldPaths(id, owner));
  return Map.groupBy(all, ({ worker }) => withoutWindow(worker));
}

function heldTask({ entry, holder }: Claim): HeldThing {
  const { manifest } = entry.run;
  const { worker, term, expiresAt, leaseMs } = holder;
  const since = holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
  // With each renewal it is given as long again.
  const renewedAt =
    expiresAt === undefined || leaseMs === undefined ? since : instant(expiresAt - leaseMs);
  return {
    key: `task ${manifest.id} ${entry.id} ${term}`,
    what: 'task',
    name: entry.id,
    title: inShort(displayText(entry.definition.title)),
    worker,
    claim: { run: manifest.id, task: entry.id, term, root: manifest.root, plan: manifest.plan },
    writes: entry.definition.writes,
    since,
    heardAt: renewedAt > since ? renewedAt : since,
    expiresAt,
  };
}

/** Of many, the first few say enough. */
const NAMES_LIMIT = 3;

function heldPaths(id: string, { who, worker, patterns, since, until }: OwnerOfPerson): HeldThing {
  const paths = [...patterns.writes, ...patterns.reads];
  const more = paths.length > NAMES_LIMIT ? ` and ${paths.length - NAMES_LIMIT} more` : '';
  return {
    key: `paths ${id}`,
    what: whatIs(who),
    name: displayLine(`${paths.slice(0, NAMES_LIMIT).join(', ')}${more}`),
    title: '',
    worker,
    claim: undefined,
    writes: patterns.writes,
    since,
    heardAt: since,
    expiresAt: until,
  };
}

function whatIs(who: OwnerOfPerson['who']): HeldThing['what'] {
  if (who.kind !== 'person' || !who.isUnsaved) return 'paths';
  return who.isSaved === true ? 'saved' : 'unsaved';
}

/** What happens to whoever has it when it is taken from them; nothing where it cannot be. */
export function takingMeans(
  { what, worker, name }: HeldThing,
  person: WorkerId,
): string | undefined {
  if (withoutWindow(worker) === person)
    return isOfEditor(what) ? undefined : `You release ${quoted(what, name)}.`;
  if (isOfEditor(what)) return undefined;
  const who = displayText(withoutWindow(worker).replace(/^(agent|person)\//, ''));
  if (what === 'paths')
    return `${who} has taken ${name}, and is not asked. Whatever they have not written yet may still overwrite yours.`;
  if (isRunner(worker))
    return 'Its command is stopped, the task is cancelled, and what depends on it is skipped until somebody retries it.';
  return `${who} loses the task, which goes back to the queue. Until they notice, they may go on writing.`;
}

/** Only the editor that has the file open lets go of it. */
export function isOfEditor(what: HeldThing['what']): boolean {
  return what === 'unsaved' || what === 'saved';
}

function quoted(what: HeldThing['what'], name: string): string {
  return what === 'task' ? `task "${name}"` : name;
}
