import type { WorkerId } from '../domain/ids.ts';
import { isPushed } from '../domain/asks.ts';
import { displayText } from '../domain/display-text.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { readBy, why } from '../scheduler/predicate/why.ts';
import { type BlockerDeed, deedFor } from './blocker-deeds.ts';
import type { Board } from './board.ts';
import type { BoardTask } from './board-task.ts';
import type { OpenBoard } from './ports.ts';

/** One thing that is in the way of a task, and what can be done about it. */
export interface TaskBlocker {
  readonly key: string;
  readonly kind: Reason['kind'] | 'plan' | 'unclaimed' | 'busy';
  readonly what: string;
  readonly remedy: string;
  readonly until: number | undefined;
  readonly deed: BlockerDeed | undefined;
}

/** Everything that is in the way of a task: of its run, else of its plan. */
export function blockersOf(
  board: Board,
  { plan, task, record }: BoardTask,
): readonly TaskBlocker[] {
  const open = board.live;
  const run = board.liveRuns().find(({ manifest }) => manifest.plan === plan.path);
  const entry = run?.find(task.id);
  if (open !== undefined && entry !== undefined) return blockersInRun(open, entry, board.reader);
  const obstacle = plan.plan.obstacles.get(task.id);
  if (obstacle !== undefined) {
    const remedy = 'Change the plan to let it start';
    return [plain({ kind: 'plan', what: obstacle, remedy, deed: { kind: 'open-task' } })];
  }
  const [others] = record?.runStatus === 'active' ? [] : board.whyNot(plan.path, task.id);
  if (others === undefined) return [];
  const remedy = 'Wait until they have ended, or stop them';
  return [plain({ kind: 'busy', what: others, remedy, deed: undefined })];
}

function blockersInRun(
  open: OpenBoard,
  entry: TaskEntry,
  reader: WorkerId | undefined,
): readonly TaskBlocker[] {
  const turn = open.keeper.outlook();
  const found = why(turn, entry, readBy(reader)).map(
    ({ reason, what, remedy, until }): TaskBlocker => {
      const deed = deedFor(reason, entry, reader);
      return { ...plain({ kind: reason.kind, what, remedy, deed }), until };
    },
  );
  const isWaiting = entry.state.kind === 'pending' && !isPushed(entry.asks.doer);
  return found.length > 0 || !isWaiting ? found : [unclaimed(entry)];
}

/** Nothing is in its way, and whoever it is for has not come. */
function unclaimed({ asks }: TaskEntry): TaskBlocker {
  const kind = 'unclaimed';
  switch (asks.doer.kind) {
    case 'agent': {
      const remedy = 'It starts when an idle agent claims it';
      return plain({ kind, what: 'No agent has taken it yet', remedy, deed: { kind: 'wake' } });
    }
    case 'terminal': {
      const remedy = 'It starts in the terminal that a window opens for it';
      const what = 'No terminal has taken it yet';
      return plain({ kind, what, remedy, deed: { kind: 'open-terminal' } });
    }
    default: {
      const remedy = 'It starts when somebody claims it';
      return plain({ kind, what: 'Nobody has taken it yet', remedy, deed: { kind: 'claim' } });
    }
  }
}

type Said = Pick<TaskBlocker, 'kind' | 'what' | 'remedy' | 'deed'>;

/** Names and paths of others are in it. */
function plain({ kind, what, remedy, deed }: Said): TaskBlocker {
  const said = displayText(what.replace(/\.$/, ''));
  const key = `${kind} ${said}`;
  return { key, kind, what: said, remedy: displayText(remedy), until: undefined, deed };
}
