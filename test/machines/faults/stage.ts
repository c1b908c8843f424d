import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTiming } from '../../../server/remote/machine-connection.ts';
import { bundledProgram } from '../../support/bundled-program.ts';
import type { Lab } from '../../support/lab/lab.ts';
import type { Entry } from './ledger.ts';
import type { FaultTask, Setup } from './setup.ts';

export interface StageOptions {
  readonly tasks: readonly FaultTask[];
  readonly slots?: number;
  readonly timing?: ConnectionTiming;
}

let program: Promise<string> | undefined;

/** A coordinator, as a process of its own, with tasks for the hosts of a lab. */
export class Stage {
  readonly lab: Lab;
  readonly setup: Setup;
  readonly heard: Entry[] = [];
  readonly #file: string;
  readonly #wakes = new Set<() => void>();
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #hasEnded = false;
  #isDone = false;

  constructor(lab: Lab, { tasks, slots = 8, timing }: StageOptions) {
    this.lab = lab;
    const folder = mkdtempSync(path.join(lab.folder, 'stage-'));
    mkdirSync(path.join(folder, 'logs'));
    const board = path.basename(folder).toLowerCase();
    this.setup = {
      board,
      folder,
      sshConfig: lab.sshConfig,
      slots,
      tasks,
      ...(timing && { timing }),
    };
    this.#file = path.join(folder, 'setup');
    writeFileSync(this.#file, JSON.stringify(this.setup));
  }

  async begin(): Promise<void> {
    program ??= bundledProgram('test/machines/programs/coordinator.ts');
    const child = spawn(process.execPath, [await program, this.#file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#hasEnded = false;
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    child.once('exit', () => {
      if (this.#child !== child) return;
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Resolves when so many of these have been told. */
  async until(what: Entry['what'], count = 1): Promise<void> {
    await this.#until(() => this.countOf(what) >= count);
  }

  countOf(what: Entry['what']): number {
    return this.heard.filter((entry) => entry.what === what).length;
  }

  /** Resolves when something is told that was not told yet. */
  async untilMore(): Promise<void> {
    const { length } = this.heard;
    await this.#until(() => this.heard.length > length);
  }

  async untilDone(): Promise<void> {
    await this.#until(() => this.isDone);
  }

  /** No task is left to do. */
  get isDone(): boolean {
    return this.#isDone;
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Without a word to anybody. */
  async crash(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    if (child !== undefined) await once(child, 'close');
  }

  /** It lets go of the hosts. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.stdin.end();
    await once(child, 'close');
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#hasEnded) throw new Error('The coordinator has ended.');
      await new Promise<void>((resolve) => this.#wakes.add(resolve));
    }
  }

  #hear(line: string): void {
    if (line === '"done"') this.#isDone = true;
    else this.heard.push(JSON.parse(line));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
    this.#wakes.clear();
  }
}
