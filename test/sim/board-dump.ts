import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { instant } from '../../server/domain/time.ts';
import { nextDueAt } from '../../server/scheduler/model/next-due.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';

/** In what two boards differ, once both have come as far; nothing where they are equal. */
export function compareBoards(one: BoardModel, other: BoardModel): string | undefined {
  const at = instant(Math.max(one.now, other.now));
  one.advanceTo(at);
  other.advanceTo(at);
  const [left, right] = [dumpBoard(one), dumpBoard(other)];
  return left === right ? undefined : differenceOf(left, right);
}

/** Everything that a decision can depend on, one fact a line. */
export function dumpBoard(board: BoardModel): string {
  const { permission, isPaused, mode, load, credits, totals, owners, workers, claims } = board;
  const lines = [JSON.stringify({ permission, isPaused, mode, load, credits, totals })];
  for (const run of board.runs.values()) {
    const { isStopping, isInterrupted, open, failed } = run;
    const sizes = [run.attention, run.paused, run.inBackoff, run.doomed, run.revivable].map(
      (set) => set.size,
    );
    const facts = [run.manifest.id, isStopping, isInterrupted, open, failed, run.held, ...sizes];
    lines.push(facts.join(' '));
    for (const [reference, { standing }] of run.outside) lines.push(`${reference} ${standing}`);
    for (const entry of run.entries) lines.push(dumpEntry(entry));
  }
  for (const [term, { task, owner, isApart }] of [...owners.leftovers].toSorted(
    ([a], [b]) => a - b,
  ))
    lines.push(`leftover ${term} ${task} ${owner.until} ${isApart}`);
  for (const [id, { until }] of owners.people) lines.push(`person ${id} ${until}`);
  for (const place of workers.places.values()) lines.push(JSON.stringify(place));
  for (const agent of workers.agents.values()) lines.push(JSON.stringify(agent));
  for (const worker of workers.sessions.values()) lines.push(JSON.stringify(worker));
  lines.push(...workers.drained, JSON.stringify(board.waiters.plain));
  for (const write of owners.dismissed.all) lines.push(`dismissed ${JSON.stringify(write)}`);
  for (const { term, worker, task, tree } of board.losses.all)
    lines.push(`untold ${term} ${worker} ${task} ${tree}`);
  lines.push(
    `${claims.pushed.size} ${claims.pulled.size} ${claims.leases.size} ${claims.limits.size}`,
  );
  lines.push(`due ${nextDueAt(board)}`);
  return lines.join('\n');
}

function dumpEntry(entry: TaskEntry): string {
  const { definition, unmet, doomed, rank, readySince, isPaused, lane, claim, starvation } = entry;
  const where = entry.run.inBackoff.has(entry)
    ? 'backoff'
    : lane === undefined
      ? 'nowhere'
      : 'ready';
  const woken = JSON.stringify([...(entry.wokenAt ?? [])]);
  const held = [claim?.holder.term, claim?.undeclared?.size, claim?.isApart];
  const tried = [entry.leftover?.worker, entry.ranAt, entry.leftBy];
  const facts = [unmet, doomed, rank, readySince, isPaused, where, ...held, ...tried, woken];
  return `${definition.id} ${JSON.stringify(entry.state)} ${facts.join(' ')} ${JSON.stringify(starvation)}`;
}

/** The lines in which two dumps differ. */
function differenceOf(one: string, other: string): string {
  const [left, right] = [one.split('\n'), other.split('\n')];
  const length = Math.max(left.length, right.length);
  const lines: string[] = [];
  for (let line = 0; line < length; line += 1)
    if (left[line] !== right[line]) lines.push(`- ${left[line]}`, `+ ${right[line]}`);
  return lines.join('\n');
}
