import { parseWorkerId, type WorkerId } from '../../domain/ids.ts';
import { textHash } from '../../domain/text-hash.ts';
import type { BoardModel } from './board-model.ts';

/**
 * An agent starts its server of tools and its hooks as separate processes, and both must be one worker.
 * They find each other without any setting: by the session that both name, or else by a process that
 * started both. Each such process has a mark.
 */
export interface Caller {
  /** As which worker it is to speak, whatever else is known. */
  readonly as?: WorkerId;
  /** What the user calls it in its environment, which not every agent hands on to its servers. */
  readonly name?: WorkerId;
  /** Of the processes that started it, the nearest first. */
  readonly marks: readonly string[];
  /** The session of the agent; empty if the agent names none. */
  readonly session: string;
}

const NAME_LIMIT = 64;
const [BY, IN] = [':by-', ':in-'];

/** The name of an agent at the board. `program` may have any characters in it. */
export function agentName(
  program: string,
  { mark, session }: { readonly mark: string | undefined; readonly session?: string },
): string {
  const fitting = program.replaceAll(/[^\w.@-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const name = fitting === '' ? 'agent' : fitting.slice(0, NAME_LIMIT);
  const by = mark === undefined ? '' : `${BY}${mark}`;
  return `${name}${by}${session === undefined ? '' : sessionSuffix(session)}`;
}

/** The worker that a hook speaks for: the one with tools, else the one that the user names, else a session. */
export function workerOf(board: BoardModel, { as, name, marks, session }: Caller): WorkerId {
  const known = as ?? findCaller(board, { marks, session }) ?? name;
  if (known !== undefined) return known;
  return parseWorkerId(`agent/session-${shortHash(session)}`)!;
}

export function findCaller(
  board: BoardModel,
  { marks, session }: Pick<Caller, 'marks' | 'session'>,
): WorkerId | undefined {
  const holders = [...board.claims.pulled].map(({ holder }) => holder.worker);
  const ids = [...board.workers.sessions.keys(), ...holders];
  const ends = [
    ...(session === '' ? [] : [sessionSuffix(session)]),
    // One process may have several sessions: a worker of another session is not meant.
    ...marks.map((mark) => `${BY}${mark}`),
  ];
  for (const end of ends) {
    const found = ids.find((id) => id.endsWith(end));
    if (found !== undefined) return found;
  }
  return undefined;
}

function sessionSuffix(session: string): string {
  return `${IN}${shortHash(session)}`;
}

function shortHash(text: string): string {
  return textHash(text).slice(-8);
}
