import type { RunId } from '../domain/ids.ts';
import type { TaskState } from '../domain/task.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { RunRecord } from '../engine/store-port.ts';
import { ClockText } from '../board/clock-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

const DEFAULT_LIMIT = 20;

interface RunRow {
  readonly id: RunId;
  readonly root: string;
  readonly plan: string;
  readonly selection: readonly string[];
  readonly status: RunRecord['status'];
  readonly outcome: string | null;
  readonly requestedAt: Instant;
  readonly requestedBy: string;
  readonly durationMs: number | null;
  readonly counts: Readonly<Partial<Record<TaskState['kind'], number>>>;
}

/** The runs of the repository, the newest first. */
export async function runs(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const limit = reader.number('limit', { from: 1, digits: 3 }) ?? DEFAULT_LIMIT;
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  const use = ({ open }: BoardUse): ExitCode => {
    const rows = open.store
      .runs(limit)
      .map((record) => rowOf(record, open.store.statesOf(record.manifest.id)));
    if (args.isJson) sayJson(terminal, { runs: rows });
    else show(args, terminal, { rows, now: open.clock.now() });
    return EXIT.done;
  };
  return await withBoard(args, terminal, { how: { command: 'runs' }, use });
}

function rowOf(
  { manifest, status, outcome, finishedAt }: RunRecord,
  states: ReadonlyMap<string, TaskState>,
): RunRow {
  const counts: Partial<Record<TaskState['kind'], number>> = {};
  for (const { kind } of states.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  const { id, root, plan, selection, requestedAt, requestedBy } = manifest;
  return {
    id,
    root,
    plan,
    selection,
    status,
    outcome: outcome ?? null,
    requestedAt,
    requestedBy,
    durationMs: finishedAt === undefined ? null : Math.max(0, finishedAt - requestedAt),
    counts,
  };
}

function show(
  { folder }: Arguments,
  terminal: Terminal,
  { rows, now }: { readonly rows: readonly RunRow[]; readonly now: Instant },
): void {
  if (rows.length === 0) terminal.err('There has been no run yet.\n');
  const clock = new ClockText();
  for (const { id, root, plan, selection, status, outcome, counts, ...row } of rows) {
    const time = row.durationMs === null ? '' : `, ${formatDuration(row.durationMs)}`;
    const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
    const where = root === folder ? plan : `${root}/${plan}`;
    const what = selection.length === 0 ? '' : ` (${selection.join(', ')})`;
    outLine(
      terminal,
      `${id}  ${clock.short(row.requestedAt, now)}  ${outcome ?? status}: ${kinds.join(', ')}${time}  ${where}${what}`,
    );
  }
}
