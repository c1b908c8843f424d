import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RUN_FINISHED, type RunFinished } from '../../protocol/runs.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import { errorText } from '../error-text.ts';
import type { ServerProcess } from '../server-process.ts';
import type { LogListener, LogReaders, LogReading } from './log-readers.ts';
import { saidLine, TerminalText } from './terminal-text-model.ts';

/** What an exit code says of something that never began. */
const NOT_STARTED = 1;

interface Parts {
  readonly readers: LogReaders;
  readonly server: ServerProcess;
  /** Nothing where the folder has no such task. */
  readonly find: () => Promise<TaskKey | string>;
}

/**
 * One run of a task as a task of the editor: it begins when the terminal opens, and ends when that is
 * closed. It closes with the exit code of the task.
 */
export class TaskRunTerminal implements vscode.Pseudoterminal {
  readonly #parts: Parts;
  readonly #writes = new vscode.EventEmitter<string>();
  readonly #closes = new vscode.EventEmitter<number>();
  readonly #subscriptions: vscode.Disposable[] = [];
  #task: TaskKey | undefined;
  #reading: LogReading | undefined;
  #isBusy = false;
  /** A server that knows nothing of how it began: the end of the task is the end of it. */
  #isFollowing = false;
  #isClosed = false;

  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { server } = parts;
    this.#subscriptions = [
      server.on<RunFinished>(RUN_FINISHED, (run) => this.#finished(run)),
      // What runs goes on without a server, and a new one finds it.
      server.onStarted(() => this.#attempt(async (task) => this.#follow(task))),
    ];
  }

  open(): void {
    this.#begin().catch((error: unknown) => this.#fail(error));
  }

  close(): void {
    this.#isClosed = true;
    for (const each of this.#subscriptions) each.dispose();
    const reading = this.#reading;
    this.#reading = undefined;
    // A server that has gone meanwhile ends nothing any more, and nobody is there to be told.
    reading
      ?.cancel()
      .catch(() => {})
      .finally(() => reading.stop());
  }

  async #begin(): Promise<void> {
    const found = await this.#parts.find();
    if (typeof found === 'string') {
      this.#say(found);
      this.#end(NOT_STARTED);
      return;
    }
    this.#task = found;
    await this.#run(found);
  }

  #attempt(act: (task: TaskKey) => Promise<void>): void {
    if (this.#task === undefined || this.#isClosed) return;
    act(this.#task).catch((error: unknown) => this.#fail(error));
  }

  async #run(task: TaskKey): Promise<void> {
    // The run that it waits for may have finished before the answer is here.
    this.#isBusy = false;
    const reading = await this.#parts.readers.run(task, this.#listener());
    const { reply } = reading;
    if (this.#isClosed) {
      await reading.cancel();
      reading.stop();
      return;
    }
    if (reply.kind === 'following') {
      this.#reading = reading;
      return;
    }
    this.#say(reply.message);
    if (reply.kind === 'refused') this.#end(NOT_STARTED);
    else {
      this.#isBusy = true;
      this.#say(l10n.t('Waiting for that run to finish.'));
    }
  }

  async #follow(task: TaskKey): Promise<void> {
    if (this.#isBusy) return this.#run(task);
    this.#isFollowing = true;
    this.#reading = await this.#parts.readers.follow(task, this.#listener());
  }

  #finished({ folderUri, plan }: RunFinished): void {
    if (!this.#isBusy || this.#task?.folderUri !== folderUri || this.#task.plan !== plan) return;
    this.#attempt(async (task) => this.#run(task));
  }

  #listener(): LogListener {
    let text = new TerminalText([]);
    return {
      begun: (tasks) => {
        text = new TerminalText(tasks);
      },
      output: (output) => this.#writes.fire(text.output(output)),
      ended: (end) => {
        this.#writes.fire(text.ended(end));
        if (end.isLast || this.#isFollowing) this.#end(end.exitCode);
      },
    };
  }

  #say(sentence: string): void {
    this.#writes.fire(saidLine(sentence));
  }

  #fail(error: unknown): void {
    this.#say(errorText(error));
    this.#end(NOT_STARTED);
  }

  /** The terminal stays, and is not ours any more. */
  #end(exitCode: number): void {
    this.#reading?.stop();
    this.#reading = undefined;
    this.#isClosed = true;
    for (const each of this.#subscriptions) each.dispose();
    this.#closes.fire(exitCode);
  }
}
