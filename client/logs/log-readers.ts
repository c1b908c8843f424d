import {
  CANCEL_FOLLOWED,
  FOLLOW_LOG,
  type FollowLog,
  type FollowReply,
  type FollowRun,
  type FollowerParams,
  type AttemptName,
  LOG_ENDED,
  LOG_OUTPUT,
  type LogEnded,
  type LogOutput,
  RUN_AND_FOLLOW,
  UNFOLLOW_LOG,
} from '../../protocol/logs.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import { namesOf } from '../task-list.ts';
import type { ServerProcess } from '../server-process.ts';

/** What is done with the output of tasks as it comes. */
export interface LogListener {
  /** Of these tasks something may come now; said before anything comes. */
  begun?(tasks: readonly string[]): void;
  output(output: LogOutput): void;
  ended(end: LogEnded): void;
}

/** Everything in this window that shows what tasks print. */
export class LogReaders {
  readonly #server: ServerProcess;
  readonly #listeners = new Map<string, Listening>();
  #lastName = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
    server.onRequest<LogOutput>(LOG_OUTPUT, async (output) => {
      const listening = this.#listeners.get(output.follower);
      await listening?.begun;
      listening?.listener.output(output);
    });
    server.on<LogEnded>(LOG_ENDED, async (end) => {
      const listening = this.#listeners.get(end.follower);
      await listening?.begun;
      listening?.listener.ended(end);
    });
    // A new server knows nobody.
    server.onStopped(() => this.#listeners.clear());
  }

  /** Shows a task's newest attempt and all that come later, or one attempt only. */
  async follow(task: TaskKey, listener: LogListener, attempt?: AttemptName): Promise<LogReading> {
    const params = { task: namesOf(task), ...(attempt !== undefined && { attempt }) };
    return await this.#begin<FollowLog>(FOLLOW_LOG, params, listener);
  }

  /** Runs a task, and shows what it and what it needs print. */
  async run(task: TaskKey, listener: LogListener): Promise<LogReading> {
    return await this.#begin<FollowRun>(RUN_AND_FOLLOW, { task: namesOf(task) }, listener);
  }

  async #begin<Params extends FollowerParams>(
    method: string,
    params: Omit<Params, 'follower'>,
    listener: LogListener,
  ): Promise<LogReading> {
    this.#lastName += 1;
    const follower = `reader ${this.#lastName}`;
    // Something may come before the answer, and waits for it.
    const begun = Promise.withResolvers<void>();
    this.#listeners.set(follower, { listener, begun: begun.promise });
    const ask: FollowerParams = { follower };
    try {
      const reply = await this.#server.ask<FollowReply>(method, { ...params, ...ask });
      if (reply.kind === 'following') listener.begun?.(reply.tasks);
      else this.#listeners.delete(follower);
      return {
        reply,
        stop: () => {
          if (this.#listeners.delete(follower)) this.#server.tell(UNFOLLOW_LOG, ask);
        },
        cancel: async () => {
          if (this.#server.isRunning) await this.#server.ask<null>(CANCEL_FOLLOWED, ask);
        },
      };
    } catch (error) {
      this.#listeners.delete(follower);
      throw error;
    } finally {
      begun.resolve();
    }
  }
}

export interface LogReading {
  readonly reply: FollowReply;
  /** Nobody looks any more. */
  readonly stop: () => void;
  /** What is run for it ends. */
  readonly cancel: () => Promise<void>;
}

interface Listening {
  readonly listener: LogListener;
  readonly begun: Promise<void>;
}
