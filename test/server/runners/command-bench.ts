import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Command, TaskDefinition } from '../../../server/domain/task.ts';
import type {
  CommandEnd,
  Launch,
  Runner,
  RunnerNews,
  StartResult,
} from '../../../server/engine/ports.ts';
import type { RunnerOptions } from '../../../server/runners/runner-options.ts';
import { SlotRunner } from '../../../server/runners/slot-runner.ts';
import type { RunnerBench } from '../../support/contracts/runner-contract.ts';
import { EndLog } from '../../support/end-log.ts';
import { definition, runId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFile } from '../../support/until-file.ts';

/** Terms are not used twice on this machine, so that a sweep finds the processes of one test only. */
let lastTerm = process.pid * 1000;

export const isLinux = process.platform === 'linux';

export function shell(script: string): { readonly command: Command } {
  return { command: { kind: 'shell', script } };
}

export function program(file: string, ...args: readonly string[]): { readonly command: Command } {
  return { command: { kind: 'program', file, args } };
}

/** Real commands in a folder of their own. Nothing of them outlives the test. */
export class CommandBench implements RunnerBench {
  readonly root = temporaryFolder();
  readonly ends = new EndLog();
  readonly commandsFolder = path.join(this.root, '.state', 'commands');
  readonly #open: (options: RunnerOptions) => Runner;
  readonly #parentEnv: NodeJS.ProcessEnv;
  readonly #groups = new Set<number>();

  constructor({
    open = (options) => new SlotRunner(options),
    parentEnv = process.env,
  }: {
    readonly open?: (options: RunnerOptions) => Runner;
    readonly parentEnv?: NodeJS.ProcessEnv;
  } = {}) {
    this.#open = open;
    this.#parentEnv = parentEnv;
    mkdirSync(path.join(this.root, 'inner'));
    onTestFinished(() => {
      for (const group of this.#groups) kill(-group);
    });
  }

  open(news: RunnerNews = this.ends): Runner {
    const runner = this.#open({
      commandsFolder: this.commandsFolder,
      logFile: (launch) => this.logOf(launch),
      logFolder: (run) => path.join(this.root, 'logs', run),
      parentEnv: this.#parentEnv,
      news,
    });
    onTestFinished(() => runner.close());
    const start = runner.start.bind(runner);
    runner.start = (launch) => this.#noted(start(launch));
    return runner;
  }

  launch(fields: Partial<TaskDefinition> = shell(LISTENER)): Launch {
    lastTerm += 1;
    return {
      place: 'local',
      root: this.root,
      definition: definition(`task-${lastTerm}`, fields),
      run: runId(1),
      revision: 1,
      attempt: 1,
      term: lastTerm,
    };
  }

  brokenLaunch(): Launch {
    return this.launch({ cwd: 'missing' });
  }

  async begun({ term }: Launch): Promise<void> {
    await untilFile(path.join(this.root, `begun-${term}`), 'begun');
  }

  async finish(launch: Launch, code: number): Promise<void> {
    await writeFile(path.join(this.root, `told-${launch.term}`), `${code}\n`);
    if (this.journalOf(launch) !== undefined) await this.ended(launch);
  }

  /** Its slot has written that it has ended. */
  async ended(launch: Launch): Promise<void> {
    while (this.recordOf(launch).at(-1)?.startsWith('ended') !== true) await delay(2);
  }

  async vanish(launch: Launch): Promise<void> {
    const pid = this.slotOf(launch);
    process.kill(-pid, 'SIGKILL');
    await untilGone(pid);
  }

  /** The journal of the slot that was given it. */
  journalOf({ term }: Launch): string | undefined {
    return filesIn(this.commandsFolder).find((file) =>
      readFileSync(file, 'utf8').includes(`"term":${term},`),
    );
  }

  /** The lines that a slot has written of it. */
  recordOf(launch: Launch): readonly string[] {
    const journal = this.journalOf(launch);
    if (journal === undefined) return [];
    const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    const first = lines.findIndex((line) => line.includes(`"term":${launch.term},`));
    const next = lines.findIndex((line, at) => at > first && line.startsWith('order'));
    return lines.slice(first, next === -1 ? undefined : next);
  }

  /** Of a command that has begun. */
  slotOf(launch: Launch): number {
    const [writer = ''] = readFileSync(this.journalOf(launch) ?? '', 'utf8').split('\n');
    const { pid }: { pid: number } = JSON.parse(writer);
    return pid;
  }

  logOf({ definition: { id } }: Launch): string {
    return path.join(this.root, '.state', 'logs', `${id}.log`);
  }

  outputOf(launch: Launch): string {
    const log = this.logOf(launch);
    return existsSync(log) ? readFileSync(log, 'utf8') : '';
  }

  /** Runs one command to its end. */
  async run(
    runner: Runner,
    fields: Partial<TaskDefinition>,
  ): Promise<{ readonly end: CommandEnd; readonly output: string; readonly launch: Launch }> {
    const launch = this.launch(fields);
    const started = runner.start(launch);
    const end: CommandEnd =
      started.kind === 'not-started'
        ? { kind: 'failed', failure: started }
        : await this.ends.of(launch.term);
    return { end, output: this.outputOf(launch), launch };
  }

  #noted(started: StartResult): StartResult {
    if (started.kind === 'started') this.#groups.add(started.process.pid);
    return started;
  }
}

/** Ends with the number that it is told. A pipe with a name is heard also by whoever was let go of. */
const LISTENER = `
mkfifo told-$INTERLOCK_TERM
echo begun > begun-$INTERLOCK_TERM
read code < told-$INTERLOCK_TERM
exit $code`;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

export function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

/** Gone, or dead and only waiting for init to take note of it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return isLinux && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

/** The system tells only its parent when a process is gone. */
export async function untilGone(pid: number): Promise<void> {
  while (!isGone(pid)) await delay(2);
}
