import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from '../domain/task.ts';
import type { RunId } from '../domain/ids.ts';
import type { Attempt, CommandEnd, Launch, Runner, Sight, StartResult } from '../engine/ports.ts';
import { dropOutput } from './drop-output.ts';
import { endOfStatus, explainStart, isCertain, notStarted, signalled } from './command-end.ts';
import { programPath } from './find-program.ts';
import { commandLine } from './command-line.ts';
import { baseEnvironment, taskEnvironment } from './environment.ts';
import { folderSentence, MadeFolders, resolveFolder } from './folder.ts';
import { OutputWatch } from './output-watch.ts';
import { ProcessTable } from './process-identity.ts';
import type { RunnerOptions } from './runner-options.ts';
import { signalGroup, signalProcess } from './signals.ts';
import { awaitGroupEnd, killGroup } from './stop.ts';
import { codeOf } from './system-error.ts';

interface SpawnedCommand {
  readonly child: ChildProcess;
  readonly process: ProcessIdentity;
  isStopped: boolean;
  ended: PromiseWithResolvers<void>;
}

/**
 * Runs each command as a child of this process, for systems without a POSIX shell. Such a command may
 * go on when this process ends, but nobody finds out how it ended then: its attempt is lost.
 */
export class SpawnRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #base: Readonly<Record<string, string>>;
  readonly #folders = new MadeFolders();
  readonly #processes = new ProcessTable();
  readonly #output = new OutputWatch();
  readonly #running = new Map<number, SpawnedCommand>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#base = baseEnvironment(options.parentEnv);
  }

  start(launch: Launch): StartResult {
    const logFile = this.#options.logFile(launch);
    try {
      this.#folders.make(path.dirname(logFile));
      const cwd = resolveFolder(launch);
      if (cwd !== undefined) return this.#spawn(launch, { cwd, logFile });
      return refuse(logFile, { message: folderSentence(launch), mayPass: false });
    } catch (error) {
      const code = codeOf(error);
      const message = explainStart(launch.definition.id, code);
      return refuse(logFile, { message, mayPass: !isCertain(code) });
    }
  }

  async adopt(attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Sight>> {
    const sights = attempts.map((attempt) => [attempt.term, this.#look(attempt)] as const);
    return await Promise.resolve(new Map(sights));
  }

  signal(term: number, signal: 'terminate' | 'kill'): void {
    const command = this.#running.get(term);
    if (command === undefined) return;
    command.isStopped = true;
    void stopTree(command.process.pid, signal);
  }

  async sweep({ term, process: identity }: Attempt): Promise<boolean> {
    const command = this.#running.get(term);
    this.signal(term, 'kill');
    if (command !== undefined) await command.ended.promise;
    if (command !== undefined || identity === undefined) return command !== undefined;
    if (this.#processes.isAlive(identity)) return await killGroup(identity, this.#processes);
    // Who has the number may be somebody else; where the system does not say, that stays open.
    return this.#processes.isReused(identity) || !signalProcess(identity.pid, 0);
  }

  dropOutput(runs: readonly RunId[]): void {
    dropOutput(runs, this.#options.logFolder);
  }

  outputBytes(term: number): number | undefined {
    return this.#output.bytesOf(term);
  }

  /** Nothing is kept for whoever comes next. */
  settled(): void {}

  close(): void {
    for (const { child } of this.#running.values()) child.removeAllListeners().unref();
    this.#running.clear();
    this.#output.close();
  }

  #look({ term, process: identity }: Attempt): Sight {
    const own = this.#running.get(term);
    if (own !== undefined) return { kind: 'running', process: own.process };
    const isOfEarlierBoot = identity !== undefined && identity.bootId !== this.#processes.bootId;
    return { kind: 'gone', cause: isOfEarlierBoot ? 'host-lost' : 'killed' };
  }

  #spawn(launch: Launch, { cwd, logFile }: { cwd: string; logFile: string }): StartResult {
    const { definition, term } = launch;
    const { command, id } = definition;
    if (command === undefined)
      return refuse(logFile, { message: `"${id}" has no command.`, mayPass: false });
    const { file, args, isVerbatim } = commandLine(command);
    const log = openSync(logFile, 'a', 0o600);
    const env = { ...this.#base, ...taskEnvironment(launch, this.#options.proofOf?.(launch)) };
    const options: SpawnOptions = {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', log, log],
      windowsVerbatimArguments: isVerbatim,
      windowsHide: true,
    };
    const child = spawnWith(log, () => spawn(programPath(file, env), args, options));
    const process = this.#processes.identify(child.pid ?? 0);
    const ended = Promise.withResolvers<void>();
    this.#running.set(term, { child, process, isStopped: false, ended });
    this.#output.add(term, logFile);
    child.once('error', (error) => {
      const code = codeOf(error);
      const message = explainStart(file, code);
      note(logFile, message);
      void this.#tell(term, isCertain(code) ? notStarted(message) : NOT_STARTED_NOW);
    });
    child.once('exit', (code, signal) => {
      void this.#tell(term, code === null ? signalled(signal) : endOfStatus(code));
    });
    return { kind: 'started', process };
  }

  async #tell(term: number, end: CommandEnd): Promise<void> {
    const command = this.#running.get(term);
    if (command?.isStopped === true) await awaitGroupEnd(command.process, this.#processes);
    await this.#output.finish(term);
    if (command === undefined || !this.#running.delete(term)) return;
    command.ended.resolve();
    this.#options.news.ended(term, end);
  }
}

/** The child has the log by then, or there is none. */
function spawnWith(log: number, start: () => ChildProcess): ChildProcess {
  try {
    return start();
  } finally {
    closeSync(log);
  }
}

async function stopTree(pid: number, signal: 'terminate' | 'kill'): Promise<void> {
  if (process.platform !== 'win32') {
    signalGroup(pid, signal === 'kill' ? 'SIGKILL' : 'SIGTERM');
    return;
  }
  // Loaded where it is needed: a command line has to start in a moment.
  const { execa } = await import('execa');
  await execa(programPath('taskkill', process.env), ['/pid', String(pid), '/t', '/f'], {
    reject: false,
  });
}

const NOT_STARTED_NOW: CommandEnd = { kind: 'lost', cause: 'not-started' };

function refuse(
  logFile: string,
  why: { readonly message: string; readonly mayPass: boolean },
): StartResult {
  note(logFile, why.message);
  return { kind: 'not-started', ...why };
}

function note(logFile: string, message: string): void {
  try {
    appendFileSync(logFile, `${message}\n`, { mode: 0o600 });
  } catch {
    // Where no log can be written the state of the task says it all the same.
  }
}
