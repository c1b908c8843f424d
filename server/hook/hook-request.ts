import type { BoardWorld } from '../board/ports.ts';
import { type InsideTask, insideOf } from '../board/inside-task.ts';
import { pathInTree } from '../cli/path-in-tree.ts';
import { parseWorkerId, type WorkerId } from '../domain/ids.ts';
import { treeOf } from '../domain/run.ts';
import { isRunner } from '../scheduler/model/workers.ts';
import type { HookRequest } from '../scheduler/requests/hook.ts';
import type { HookCall } from './hook-input.ts';

/** As long as an agent's lease: it says so again with the next change. */
export const DEFAULT_FOR_MS = 5 * 60_000;
/** No agent has a longer name for a session. */
const SESSION_LIMIT = 200;
/** Nor one for a call of a tool. */
const CALL_LIMIT = 200;

/** A call that is about a board. */
export type BoardCall = Exclude<HookCall, { kind: 'none' | 'unreadable' | 'too-many' }>;

/** Whether nothing is to be answered where no process decides: who else writes a file is not asked. */
export function isOnlyShell(call: BoardCall): boolean {
  return call.kind !== 'over' && call.files.length === 0;
}

interface HookPlace {
  /** The folder that it is about, without links on the way to it. */
  readonly root: string;
  readonly world: Pick<BoardWorld, 'folderInTree' | 'realFolder' | 'realInTree'>;
  readonly env: NodeJS.ProcessEnv;
  /** A mark for each process that started this one, the nearest first. */
  readonly callers: () => readonly string[];
  /** What `--as` says. */
  readonly as: WorkerId | undefined;
  readonly forMs: number;
}

/** The process that decides checks which task has started the agent. */
export type ToldHook = Omit<HookRequest, 'inside'> & {
  readonly inside?: InsideTask & NonNullable<HookRequest['inside']>;
};

/** What the board is told of a call; undefined if no file of the working tree is written, and no shell is called. */
export function hookRequestOf(call: BoardCall, place: HookPlace): ToldHook | undefined {
  const { root, world, env, callers, as, forMs } = place;
  const paths =
    call.kind === 'over' ? [] : call.files.flatMap((file) => pathInTree(root, world, file) ?? []);
  const shell = call.kind === 'over' ? undefined : call.shell;
  if (call.kind !== 'over' && paths.length === 0 && shell === undefined) return undefined;
  const name = agentId(env['INTERLOCK_WORKER'] ?? '');
  const inside = insideOf(env);
  return {
    what: call.kind === 'over' ? 'over' : 'writes',
    caller: {
      ...(as !== undefined && { as }),
      ...(name !== undefined && { name }),
      marks: as === undefined ? callers() : [],
      session: call.session.slice(0, SESSION_LIMIT),
    },
    tree: treeOf({ root, folder: world.folderInTree(root) }),
    paths: [...new Set(paths)],
    forMs,
    ...(shell !== undefined && {
      shell: {
        is: call.kind === 'before' ? 'begun' : 'over',
        call: shell.call.slice(0, CALL_LIMIT),
      },
    }),
    ...(inside?.run !== undefined && { inside: { ...inside, run: inside.run } }),
  };
}

/** Who a name means: an agent, unless it says that it is a person. Undefined if it cannot be a name. */
export function agentId(name: string): WorkerId | undefined {
  const id = parseWorkerId(/^(agent|person)\//.test(name) ? name : `agent/${name}`);
  return id === undefined || name === '' || isRunner(id) ? undefined : id;
}
