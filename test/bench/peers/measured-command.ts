import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import {
  childrenCpuMs,
  cpuMsOf,
  endMarked,
  MARK,
  markedProcesses,
  memoryOf,
} from './marked-processes.ts';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The folder is also the mark of what runs in it, so no two commands share one at a time. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The file that it reads as its input; absent: none. */
  readonly input?: string;
}

export interface Measured {
  readonly wallMs: number;
  /** Of the whole tree, and of what it left behind. */
  readonly cpuMs: number;
}

const TIMEOUT_MS = 300_000;
const LOOK_MS = 25;
const SHOWN_OUTPUT = 600;

/** Runs a command to its end with nobody looking, then ends what it has left behind. */
export async function measureCommand(command: Command): Promise<Measured> {
  const usedBefore = childrenCpuMs();
  const start = performance.now();
  const status = await ended(startCommand(command, 'ignore'));
  const wallMs = performance.now() - start;
  const cpuMs = markedProcesses(command.folder).reduce(
    (total, pid) => total + cpuMsOf(pid),
    childrenCpuMs() - usedBefore,
  );
  await endMarked(command.folder);
  if (status !== 0) throw new Error(`${nameOf(command)} ended with ${status}.`);
  return { wallMs, cpuMs };
}

/**
 * Runs a command while looking at the memory of its tree, which slows it down: nothing else of it
 * is measured. Answers with the most that was seen.
 */
export async function watchCommand(command: Command): Promise<{ readonly peakBytes: number }> {
  const file = path.join(command.folder, 'output.txt');
  const output = openSync(file, 'w');
  let peakBytes = 0;
  const over = new AbortController();
  const watching = (async () => {
    for await (const _ of every(LOOK_MS, undefined, { signal: over.signal })) {
      const { proportionalBytes } = memoryOf(markedProcesses(command.folder));
      peakBytes = Math.max(peakBytes, proportionalBytes);
    }
  })().catch(() => {});
  const status = await ended(startCommand(command, output));
  over.abort();
  await watching;
  closeSync(output);
  await endMarked(command.folder);
  if (status === 0) return { peakBytes };
  const said = readFileSync(file, 'utf8').slice(-SHOWN_OUTPUT);
  throw new Error(`${nameOf(command)} ended with ${status}: ${said}`);
}

export function startCommand(
  { file, args, folder, env, input }: Command,
  output: 'ignore' | number,
): ChildProcess {
  const read = input === undefined ? undefined : openSync(input, 'r');
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env, [MARK]: folder },
    stdio: [read ?? 'ignore', output, output],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  if (read !== undefined) closeSync(read);
  return child;
}

export async function ended(child: ChildProcess): Promise<number | string | null> {
  return await new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
    child.once('error', reject);
  });
}

function nameOf({ file, args }: Command): string {
  return `"${[file, ...args].join(' ').slice(0, 120)}"`;
}
