import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LogEnded, LogOutput } from '../../protocol/logs.ts';
import type { TaskKey, TaskView } from '../../protocol/tasks.ts';
import { errorText } from '../error-text.ts';
import type { ServerProcess } from '../server-process.ts';
import type { LogReaders, LogReading } from './log-readers.ts';
import { CLEAR, saidLine, TerminalText, terminalName, whyNothing } from './terminal-text-model.ts';

/**
 * What a task prints, as a terminal that nobody can type into. It goes on with the next attempt and the
 * next run; after an end it says the exit code, and Enter closes it.
 */
export class LiveTerminal implements vscode.Pseudoterminal {
  readonly #readers: LogReaders;
  /** As the task is now; nothing of one that is in no plan any more. */
  readonly #task: () => TaskView | undefined;
  readonly #key: TaskKey;
  readonly #writes = new vscode.EventEmitter<string>();
  readonly #closes = new vscode.EventEmitter<void>();
  readonly #names = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  #text: TerminalText;
  #reading: LogReading | undefined;
  #end: LogEnded | undefined;
  #isOpen = false;

  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  readonly onDidChangeName = this.#names.event;

  constructor({
    readers,
    server,
    key,
    task,
  }: {
    readonly readers: LogReaders;
    readonly server: ServerProcess;
    readonly key: TaskKey;
    readonly task: () => TaskView | undefined;
  }) {
    this.#readers = readers;
    this.#key = key;
    this.#task = task;
    this.#text = new TerminalText([key.id]);
    this.#subscription = server.onStarted(() => void this.#follow());
  }

  open(): void {
    this.#isOpen = true;
    void this.#follow();
  }

  close(): void {
    this.#isOpen = false;
    this.#reading?.stop();
    this.#subscription.dispose();
  }

  /**
   * Other keys are easily pressed by mistake, and it is still of use. The exit code is on the screen: of
   * one that is given to VS Code it would make an error message now, long after everybody knows.
   */
  handleInput(keys: string): void {
    if (this.#end !== undefined && keys === '\r') this.#closes.fire();
  }

  /** From the beginning: a server that has just started knows of no reader. */
  async #follow(): Promise<void> {
    if (!this.#isOpen) return;
    this.#reading = undefined;
    const text = new TerminalText([this.#key.id]);
    this.#text = text;
    const task = this.#task();
    const why = task && whyNothing(task);
    this.#writes.fire(why === undefined ? CLEAR : CLEAR + saidLine(why));
    try {
      const reading = await this.#readers.follow(this.#key, {
        output: (output) => this.#output(output),
        ended: (end) => this.#ended(end),
      });
      // It was closed, or begun anew, while the server was asked.
      if (!this.#isOpen || text !== this.#text) {
        reading.stop();
        return;
      }
      this.#reading = reading;
      const { reply } = reading;
      if (reply.kind !== 'following') this.#writes.fire(saidLine(reply.message));
    } catch (error) {
      this.#writes.fire(saidLine(errorText(error)));
    }
  }

  #output(output: LogOutput): void {
    if (this.#end !== undefined) this.#rename(undefined);
    this.#writes.fire(this.#text.output(output));
  }

  #ended(end: LogEnded): void {
    this.#writes.fire(this.#text.ended(end));
    this.#writes.fire(
      saidLine(l10n.t('Enter closes this terminal. The next run is shown here, too.')),
    );
    this.#rename(end);
  }

  #rename(end: LogEnded | undefined): void {
    this.#end = end;
    this.#names.fire(terminalName(this.#key.id, end));
  }
}
