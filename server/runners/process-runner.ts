import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Command, Failure } from '../domain/task.ts';
import type { CommandEnd, Launch, Leftover, Runner, RunningCommand } from '../engine/ports.ts';
import { taskEnvironment } from './environment.ts';
import { isAlive, readIdentity } from './process-identity.ts';
import { stopProcessGroup, sweepMarked } from './stop.ts';

/**
 * Runs a command on this machine, in a process group of its own, with its output in a file.
 *
 * The output goes to the file directly and not through this process: a child that stays behind with
 * the output open cannot keep its task from ending.
 */
export class ProcessRunner implements Runner {
  readonly #logFile: (launch: Launch) => string;
  readonly #parentEnv: NodeJS.ProcessEnv;

  constructor(options: {
    readonly logFile: (launch: Launch) => string;
    readonly parentEnv: NodeJS.ProcessEnv;
  }) {
    this.#logFile = options.logFile;
    this.#parentEnv = options.parentEnv;
  }

  start(launch: Launch): RunningCommand {
    const cwd = resolveFolder(launch);
    if (cwd === undefined)
      return this.#refuse(
        launch,
        `The folder "${launch.definition.cwd}" is not in the workspace folder.`,
      );
    try {
      const log = this.#openLog(launch);
      try {
        return this.#spawn(launch, { cwd, log });
      } finally {
        closeSync(log);
      }
    } catch (error) {
      // A script longer than the system takes, no more open files, a full disk: said on the task.
      return this.#refuse(launch, explainStart(launch.definition.id, error));
    }
  }

  async stopLeftover({ run, term, process }: Leftover): Promise<void> {
    if (process !== undefined && isAlive(process)) await stopProcessGroup(process.pid);
    await sweepMarked({ run, term });
  }

  #openLog(launch: Launch): number {
    const logFile = this.#logFile(launch);
    mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
    return openSync(logFile, 'a', 0o600);
  }

  /** Whoever opens the log of a task that never ran finds out why. */
  #noteInLog(launch: Launch, message: string): void {
    try {
      const log = this.#openLog(launch);
      writeSync(log, `${message}\n`);
      closeSync(log);
    } catch {
      // Where no log can be written the state of the task says it all the same.
    }
  }

  #refuse(launch: Launch, message: string): RunningCommand {
    this.#noteInLog(launch, message);
    const ended = Promise.resolve(failed({ kind: 'not-started', message }));
    return { process: undefined, ended, stop: () => {} };
  }

  #spawn(launch: Launch, { cwd, log }: { cwd: string; log: number }): RunningCommand {
    const { file, args, isVerbatim } = commandLine(launch.definition.command);
    const child = spawn(file, args, {
      cwd,
      env: taskEnvironment(launch, this.#parentEnv),
      detached: true,
      stdio: ['ignore', log, log],
      windowsVerbatimArguments: isVerbatim,
      windowsHide: true,
    });
    const { pid } = child;
    const ended = Promise.withResolvers<CommandEnd>();
    let stopped: Promise<void> | undefined;
    const stop = (): void => {
      if (pid === undefined) return;
      stopped ??= stopProcessGroup(pid).then(async () => sweepMarked(launch));
    };
    child.once('error', (error) => {
      const message = explainStart(file, error);
      this.#noteInLog(launch, message);
      ended.resolve(failed({ kind: 'not-started', message }));
    });
    child.once('exit', (code, signal) => {
      const end = endOf(code, signal);
      // A command that was killed may leave others behind that still write.
      if (signal !== null) stop();
      // What is being stopped has ended when its whole group has, not when its first process has.
      if (stopped === undefined) ended.resolve(end);
      else void stopped.then(() => ended.resolve(end));
    });
    const process = pid === undefined ? undefined : readIdentity(pid);
    return { process, ended: ended.promise, stop };
  }
}

interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

function commandLine(command: Command): CommandLine {
  if (command.kind === 'program') return { ...command, isVerbatim: false };
  return process.platform === 'win32'
    ? { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${command.script}"`], isVerbatim: true }
    : { file: 'sh', args: ['-c', command.script], isVerbatim: false };
}

function endOf(code: number | null, signal: string | null): CommandEnd {
  if (code === 0) return { kind: 'succeeded' };
  if (code !== null) return failed({ kind: 'exit', code });
  return failed({ kind: 'signal', signal: signal ?? 'unknown' });
}

function failed(failure: Failure): CommandEnd {
  return { kind: 'failed', failure };
}

function explainStart(what: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const advice = ADVICE[code] ?? 'Check the disk and the limits of the system.';
  return `Could not start "${what}" (${code}). ${advice}`;
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'Check that it is installed and on PATH.',
  EACCES: 'Check that it may be executed.',
  E2BIG: 'Its script or environment is too long; put it into a file of its own.',
  EMFILE: 'Too many files are open; run fewer tasks at once.',
  ENOSPC: 'Free some disk space.',
};

/** The real path of the task's folder, or nothing when it is missing or a link leads it outside. */
function resolveFolder({ root, definition }: Launch): string | undefined {
  try {
    const realRoot = realpathSync(root);
    const folder = realpathSync(path.join(realRoot, definition.cwd));
    return folder === realRoot || folder.startsWith(realRoot + path.sep) ? folder : undefined;
  } catch {
    return undefined;
  }
}
