import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Duties, PartOptions } from './part-options.ts';
import { WORK, WORK_SCRIPT } from './plans.ts';
import { type Entries, Journal } from './probe.ts';
import { type ProcessFacts, processesOf } from './processes.ts';
import { partProgram } from './programs.ts';

/** A board of its own, and the processes that take part in it. */
export class Stage {
  readonly folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'interlock-crash-')));
  readonly root = path.join(this.folder, 'project');
  readonly state = path.join(this.folder, 'state');
  readonly parts = new Set<Part>();
  #started = 0;

  constructor() {
    mkdirSync(this.root);
    writeFileSync(path.join(this.folder, WORK_SCRIPT), WORK);
    writeFileSync(new Journal(this.folder).file, '');
  }

  get journal(): Entries {
    return new Journal(this.folder).read();
  }

  write(...words: readonly (string | number)[]): void {
    new Journal(this.folder).write(...words);
  }

  plan(text: string): void {
    writeFileSync(path.join(this.root, 'interlock.yaml'), text);
  }

  async start(name: string, duties: Duties, more: More = {}): Promise<Part> {
    const program = await partProgram();
    this.#started += 1;
    const { root, folder } = this;
    const { under = [], nodeOptions = [], ...rest } = more;
    const options: PartOptions = { root, folder, name, seed: this.#started, duties, ...rest };
    const words = [...under, process.execPath, ...nodeOptions, program, JSON.stringify(options)];
    const [file = '', ...args] = words;
    const env = { ...process.env, INTERLOCK_STATE_DIR: this.state, NODE_OPTIONS: '' };
    const errors = path.join(folder, 'errors');
    const child = spawn('/bin/sh', ['-c', 'exec 2>>"$0" "$@"', errors, file, ...args], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const part = new Part(name, child, duties);
    this.parts.add(part);
    void part.gone.then(() => this.parts.delete(part));
    return part;
  }

  /** What the processes said that they were not meant to say. */
  get errors(): string {
    try {
      return readFileSync(path.join(this.folder, 'errors'), 'utf8');
    } catch {
      return '';
    }
  }

  /** All processes of this board, commands and slots included. */
  get processes(): readonly ProcessFacts[] {
    return processesOf(this.state);
  }

  /** In good order, one after the other. */
  async end(limitMs: number): Promise<boolean> {
    const parts = [...this.parts];
    for (const part of parts) part.order('end');
    return await within(limitMs, Promise.all(parts.map(async (part) => part.gone)));
  }

  /** Whatever is left goes. */
  async clear(): Promise<void> {
    for (const part of this.parts) part.signal('SIGKILL');
    for (const { pid } of this.processes) signal(pid, 'SIGKILL');
    await within(5000, Promise.all([...this.parts].map(async (part) => part.gone)));
    if (process.env['INTERLOCK_CRASH_KEEP'] === undefined)
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type More = Partial<Pick<PartOptions, 'killAt' | 'countsFile' | 'seed'>> & {
  /** A program that starts it. */
  readonly under?: readonly string[];
  readonly nodeOptions?: readonly string[];
};

export class Part {
  readonly name: string;
  readonly duties: Duties;
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #said = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #answers = new Map<string, (answer: string) => void>();

  constructor(name: string, child: ChildProcess, duties: Duties) {
    this.name = name;
    this.duties = duties;
    this.#child = child;
    this.gone = new Promise((resolve) => {
      child.once('close', () => resolve());
    });
    child.stdin?.on('error', () => {});
    if (child.stdout === null) throw new Error('it has an output');
    createInterface(child.stdout).on('line', (line) => {
      const [word = ''] = line.split(' ', 1);
      this.#answers.get(word)?.(line.slice(word.length + 1));
      if (line !== word) return;
      this.#said.add(line);
      this.#waiting.get(line)?.();
    });
  }

  /** That of the process itself: the shell that starts it becomes it. */
  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  order(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** What it says to an order; nothing where it goes first, or takes too long. */
  async answer(order: string, limitMs: number): Promise<string | undefined> {
    let answer: string | undefined;
    const answered = new Promise<void>((resolve) => {
      this.#answers.set(order, (text) => {
        answer = text;
        resolve();
      });
    });
    this.order(order);
    await within(limitMs, Promise.race([answered, this.gone]));
    return answer;
  }

  /** Whether it has said so in time, and before it went. */
  async says(line: string, limitMs: number): Promise<boolean> {
    if (this.#said.has(line)) return true;
    const said = new Promise<void>((resolve) => {
      this.#waiting.set(line, resolve);
    });
    await within(limitMs, Promise.race([said, this.gone]));
    return this.#said.has(line);
  }
}

/** Whether it came in time. */
export async function within(limitMs: number, what: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, limitMs, false);
  const isInTime = await Promise.race([what.then(() => true), promise]);
  clearTimeout(timer);
  return isInTime;
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
