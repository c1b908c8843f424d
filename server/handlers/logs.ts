import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import {
  type AttemptView,
  CANCEL_FOLLOWED,
  FOLLOW_LOG,
  type FollowReply,
  LIST_ATTEMPTS,
  LOG_ENDED,
  LOG_OUTPUT,
  type LogEnded,
  type LogOutput,
  RUN_AND_FOLLOW,
  UNFOLLOW_LOG,
} from '../../protocol/logs.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import { pastAttempts } from '../board/attempts.ts';
import { type Board, sentenceOf } from '../board/board.ts';
import type { TriedAttempt } from '../board/follow-task.ts';
import { LogFollower } from '../board/log-follower.ts';
import { cancelFollowed, runFollowed } from '../board/run-followed.ts';
import { parseRunId, parseTaskId } from '../domain/ids.ts';
import type { Feature } from './feature.ts';
import { fieldsOf } from './refuse-params.ts';
import type { Workspace } from './workspace.ts';

/** More than anybody looks at. */
const FOLLOWERS_LIMIT = 200;
const NAME_LIMIT = 100;

/** What tasks print, for clients that ask for it. */
export const logsFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    const followers = new Followers(connection, workspace);
    connection.onRequest<FollowReply, void>(FOLLOW_LOG, async (params: unknown) =>
      followers.follow(params),
    );
    connection.onRequest<FollowReply, void>(RUN_AND_FOLLOW, async (params: unknown) =>
      followers.run(params),
    );
    connection.onRequest(CANCEL_FOLLOWED, async (params: unknown) => followers.cancel(params));
    connection.onNotification(UNFOLLOW_LOG, (params: unknown) => followers.forget(params));
    connection.onRequest(
      LIST_ATTEMPTS,
      async (params: unknown): Promise<readonly AttemptView[]> => {
        const key = readKey(params);
        const board = await boardOf(workspace, key);
        if (board === undefined) return [];
        return pastAttempts(board, key).map(({ run, revision, attempt, runAt, outcome }) => ({
          run,
          revision,
          attempt,
          runAt,
          outcome,
        }));
      },
    );
  },
};

interface Following {
  readonly board: Board;
  readonly follower: LogFollower;
  /** Ends what is followed. */
  readonly cancel: () => Promise<void>;
}

/** Everybody of one client who looks at a log, by the names that the client has given them. */
class Followers {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #following = new Map<string, Following>();
  /** Names of those that are still being looked into: they count, too. */
  readonly #beginning = new Set<string>();

  constructor(connection: Connection, workspace: Workspace) {
    this.#connection = connection;
    this.#workspace = workspace;
    workspace.onNews(() => {
      for (const { follower } of this.#following.values()) follower.look();
    });
    workspace.leaving.push((folder) => {
      for (const [name, { board }] of this.#following) if (board === folder.board) this.#end(name);
    });
  }

  async follow(params: unknown): Promise<FollowReply> {
    return await this.#named(params, async (name) => this.#follow(name, params));
  }

  async run(params: unknown): Promise<FollowReply> {
    return await this.#named(params, async (name) => this.#run(name, params));
  }

  async cancel(params: unknown): Promise<null> {
    await this.#following.get(readName(params))?.cancel();
    return null;
  }

  forget(params: unknown): void {
    this.#end(readName(params));
  }

  async #follow(name: string, params: unknown): Promise<FollowReply> {
    const { task, attempt } = fieldsOf(params);
    const key = readKey(task);
    const board = await boardOf(this.#workspace, key);
    const problem = whyNot(board, key);
    if (board === undefined || problem !== undefined)
      return { kind: 'refused', message: problem ?? NOT_OPEN };
    const only = attempt === undefined ? undefined : readAttempt(key, attempt);
    this.#begin(name, board, {
      cancel: async () => {},
      follow: async (follower) =>
        only === undefined ? follower.followOn(key) : follower.followOnly(only),
    });
    return { kind: 'following', tasks: [key.id] };
  }

  async #run(name: string, params: unknown): Promise<FollowReply> {
    const key = readKey(fieldsOf(params)['task']);
    const board = await boardOf(this.#workspace, key);
    if (board === undefined) return { kind: 'refused', message: NOT_OPEN };
    try {
      const found = await runFollowed(board, key);
      if (found.kind !== 'running') return found;
      const { asked, needed } = found;
      this.#begin(name, board, {
        cancel: async () => cancelFollowed(board, found),
        follow: async (follower) => follower.followUntil(asked, needed),
      });
      return { kind: 'following', tasks: [asked, ...needed].map(({ task }) => task) };
    } catch (error) {
      return { kind: 'refused', message: sentenceOf(error) };
    }
  }

  #end(name: string): void {
    this.#following.get(name)?.follower.close();
    this.#following.delete(name);
  }

  /** The name is taken before anything is waited for: two requests at once do not get one place. */
  async #named(params: unknown, act: (name: string) => Promise<FollowReply>): Promise<FollowReply> {
    const name = readName(params);
    if (this.#following.has(name) || this.#beginning.has(name))
      throw refused(`"${name}" follows something already.`);
    if (this.#following.size + this.#beginning.size >= FOLLOWERS_LIMIT)
      throw refused(
        `No more than ${FOLLOWERS_LIMIT} logs can be followed at once. Close some first.`,
      );
    this.#beginning.add(name);
    try {
      return await act(name);
    } finally {
      this.#beginning.delete(name);
    }
  }

  #begin(
    name: string,
    board: Board,
    {
      cancel,
      follow,
    }: Pick<Following, 'cancel'> & { readonly follow: (of: LogFollower) => Promise<void> },
  ): void {
    const follower = new LogFollower(board, {
      output: async ({ attempt, text, isNewest }) => {
        const { run, task, revision, attempt: count } = attempt;
        const of = { follower: name, task, attempt: { run, revision, attempt: count } };
        const output: LogOutput = { ...of, text, isNewest };
        await this.#connection.sendRequest(LOG_OUTPUT, output);
      },
      ended: ({ attempt: { task }, state, detail, exitCode, isLast }) => {
        const ended: LogEnded = { follower: name, task, state, detail, exitCode, isLast };
        void this.#connection.sendNotification(LOG_ENDED, ended);
      },
    });
    this.#following.set(name, { board, follower, cancel });
    follow(follower)
      // A client that has gone, or a log that cannot be read: there is nobody else to be told.
      .catch((error: unknown) => this.#connection.console.error(String(error)))
      .finally(() => {
        // Somebody else may follow under this name by now.
        if (this.#following.get(name)?.follower === follower) this.#end(name);
      });
  }
}

const NOT_OPEN = 'This folder is not open.';

/** Folders that are just being opened are waited for: a client may ask as soon as it is there. */
async function boardOf(workspace: Workspace, { folderUri }: TaskKey): Promise<Board | undefined> {
  await workspace.change({ added: [], removed: [] });
  return workspace.get(folderUri)?.board;
}

function whyNot(board: Board | undefined, { plan, id }: TaskKey): string | undefined {
  if (board === undefined) return NOT_OPEN;
  const isKnown = board.plans.get(plan)?.plan.tasks.some((task) => task.id === id) === true;
  return isKnown ? undefined : `There is no task "${id}" in ${plan} any more.`;
}

function readKey(params: unknown): TaskKey {
  const { folderUri, plan, id } = fieldsOf(params);
  if (typeof folderUri === 'string' && typeof plan === 'string' && typeof id === 'string')
    return { folderUri, plan, id };
  throw refused('A task is named by "folderUri", "plan" and "id".');
}

function readName(params: unknown): string {
  const { follower } = fieldsOf(params);
  if (typeof follower === 'string' && follower !== '' && follower.length <= NAME_LIMIT)
    return follower;
  throw refused(`"follower" is a name of at most ${NAME_LIMIT} letters.`);
}

/** The ids become names of files, so nothing else may be in them. */
function readAttempt({ id }: TaskKey, value: unknown): TriedAttempt {
  const { run: runText, revision, attempt } = fieldsOf(value);
  const run = typeof runText === 'string' ? parseRunId(runText) : undefined;
  const task = parseTaskId(id);
  if (run !== undefined && task !== undefined && isCount(revision) && isCount(attempt))
    return { run, task, revision, attempt };
  throw refused('An attempt is named by "run", "revision" and "attempt".');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function refused(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
