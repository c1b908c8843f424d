import { spawn } from 'node:child_process';
import type { ProcessIdentity } from '../domain/task.ts';
import { JOURNAL_BYTES, RECORD_BYTES } from './journal-text.ts';
import { type Order, slotBeginning } from './order.ts';
import type { ProcessTable } from './process-identity.ts';
import { signalGroup } from './signals.ts';

export interface SlotListener {
  /** A command that it was ordered has come to an end. */
  readonly onNotice: (term: number, word: string) => void;
  /** It is dead, and carries out nothing more. */
  readonly onExit: () => void;
}

export interface SlotOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly processes: ProcessTable;
  readonly journal: string;
}

/**
 * A shell in a session of its own that carries out one order after the other, in its own process
 * group. It outlives this process: the order that it has begun it brings to an end, and then it goes,
 * because nobody is there to give it another.
 */
export class Slot {
  readonly process: ProcessIdentity;
  /** In its environment for ever, also in that of a copy of it that has not become a command yet. */
  readonly mark: string;
  /** What it has on record of its commands. */
  readonly journal: string;
  readonly #shell: ReturnType<typeof spawnShell>;
  readonly #listener: SlotListener;
  #room = JOURNAL_BYTES - RECORD_BYTES;
  #unread = '';
  #isBusy = false;
  #isLeaving = false;

  /** Throws what the system says when it has no process to give. */
  constructor({ env, processes, journal }: SlotOptions, listener: SlotListener) {
    this.journal = journal;
    this.#listener = listener;
    // Processes of one number that live one after the other differ in when this was.
    this.mark = `${process.pid}.${performance.timeOrigin + performance.now()}`;
    const shell = spawnShell({ ...env, INTERLOCK_SLOT: this.mark });
    // The system says why only later; whoever asks is answered now.
    shell.on('error', () => {});
    if (shell.pid === undefined) throw new SlotError();
    this.#shell = shell;
    this.process = processes.identify(shell.pid);
    shell.once('exit', () => this.#killRest());
    shell.once('close', () => listener.onExit());
    shell.stdin.on('error', () => {});
    shell.stdout.on('error', () => {});
    shell.stdout.setEncoding('utf8');
    shell.stdout.on('data', (text: string) => this.#read(text));
    for (const part of [shell, shell.stdin, shell.stdout]) unref(part);
    const { process: writer, mark: slot } = this;
    shell.stdin.write(slotBeginning(journal, { process: writer, slot }));
  }

  order({ text, bytes }: Order): void {
    this.#isBusy = true;
    this.#room -= bytes;
    this.#shell.stdin.write(text);
  }

  /** It takes no more orders. */
  get isSpent(): boolean {
    return this.#isLeaving || this.#room < RECORD_BYTES;
  }

  /** It ends what it does, and goes. */
  retire(): void {
    this.#shell.stdin.end();
  }

  /** Nobody listens to it any more; it ends what it does, and goes. */
  release(): void {
    this.#shell.removeAllListeners('exit').removeAllListeners('close');
    this.#shell.stdout.removeAllListeners('data').destroy();
    this.retire();
  }

  #read(text: string): void {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) {
      this.#isBusy = false;
      const [term, word = '', leaving = ''] = line.split(' ');
      this.#isLeaving = leaving !== '';
      this.#listener.onNotice(Number(term), word);
    }
  }

  /** What is left of its command has nobody any more who could say how it ends. */
  #killRest(): void {
    if (this.#isBusy) signalGroup(this.process.pid, 'SIGKILL');
  }
}

class SlotError extends Error {
  readonly code = 'EAGAIN';
}

function spawnShell(env: Readonly<Record<string, string>>) {
  return spawn('/bin/sh', [], {
    // What it is called when it has something to say.
    argv0: 'sh',
    cwd: '/',
    env,
    detached: true,
    // What a shell says of a child that was killed would go to a reader that may be gone by then, and
    // kill the shell.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** A shell that waits for orders does not keep this process alive. */
function unref(part: object): void {
  if ('unref' in part && typeof part.unref === 'function') part.unref();
}
