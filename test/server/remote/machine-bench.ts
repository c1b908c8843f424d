import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import { decidersLink } from '../../../server/remote/deciders-link.ts';
import type { Link } from '../../../server/remote/channel.ts';
import type { Launch, RunnerNews } from '../../../server/engine/ports.ts';
import { LocalLogs } from '../../../server/remote/local-logs.ts';
import { localLink } from '../../../server/remote/local-link.ts';
import type { ConnectionTiming } from '../../../server/remote/machine-connection.ts';
import { machineOrder } from '../../../server/remote/machine-order.ts';
import { MachineRunner } from '../../../server/remote/machine-runner.ts';
import { PulledLogs } from '../../../server/remote/pulled-logs.ts';
import { Cable } from '../../support/cable.ts';
import type { RunnerBench } from '../../support/contracts/runner-contract.ts';
import { definition, runId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFile } from '../../support/until-file.ts';
import { shell, untilGone } from '../runners/command-bench.ts';

let lastTerm = process.pid * 1000;
let lastWord = 0;

export interface MachineBenchOptions {
  /** In a terminal of tmux, or printing into its log. */
  readonly isInTerminal?: boolean;
  readonly hasTmux?: boolean;
  /** What commands print has to be brought here. */
  readonly isFar?: boolean;
  readonly timing?: ConnectionTiming;
}

/** Real commands, sessions and files, on this machine as on any other. */
export class MachineBench implements RunnerBench {
  readonly root = temporaryFolder();
  readonly board = `test-${process.pid}-${(lastTerm += 1)}`;
  readonly cable = new Cable();
  readonly states: string[] = [];
  /** How what a command needs gets there. */
  send: (signal: AbortSignal) => Promise<void> = async () => {};
  link: Link | undefined;
  readonly #options: MachineBenchOptions;

  constructor(options: MachineBenchOptions = {}) {
    this.#options = options;
  }

  open(news: RunnerNews, mayAct = (): boolean => true): MachineRunner {
    const { isFar, hasTmux, timing } = this.#options;
    const PATH = hasTmux === false ? poorPath() : process.env['PATH'];
    const env = { ...process.env, PATH, XDG_STATE_HOME: path.join(this.root, '.state') };
    const runner = new MachineRunner({
      link: decidersLink(this.cable.over(this.link ?? localLink(env)), mayAct),
      board: this.board,
      word: this.board,
      newWord: () => `hello-${process.pid}-${(lastWord += 1)}`,
      random: () => 0.5,
      faulted: (error) => {
        throw error;
      },
      news,
      onState: (state) => this.states.push(state.kind),
      logs: isFar === true ? new PulledLogs() : new LocalLogs(),
      supply: {
        prepare: async (launch, _, signal) => {
          await this.send(signal);
          return machineOrder(launch, {
            board: this.board,
            repo: 'shop',
            folder: path.join(this.root, launch.definition.cwd),
            environment: {},
            ...(isFar !== true && { logFile: this.logOf(launch.definition.id) }),
          });
        },
        collect: async () => 'here',
        terms: async () => [],
        discard: async () => {},
        close: () => {},
        logFile: ({ definition: { id } }) => this.logOf(id),
      },
      ...(timing && { timing }),
    });
    onTestFinished(() => runner.close());
    return runner;
  }

  launch(fields: Partial<TaskDefinition> = shell(LISTENER)): Launch {
    lastTerm += 1;
    return {
      place: 'local',
      root: this.root,
      definition: definition(`task-${lastTerm}`, {
        ...fields,
        asks: { isInSession: this.#options.isInTerminal === true },
      }),
      run: runId(1),
      revision: 1,
      attempt: 1,
      term: lastTerm,
    };
  }

  brokenLaunch(): Launch {
    return this.launch({ ...shell('true'), cwd: 'missing' });
  }

  async begun({ term }: Launch): Promise<void> {
    await untilFile(path.join(this.root, `begun-${term}`), 'begun');
  }

  async finish(launch: Launch, code: number): Promise<void> {
    await writeFile(path.join(this.root, `told-${launch.term}`), `${code}\n`);
    while (!existsSync(this.fileOf(launch, 'result'))) await delay(2);
  }

  async vanish(launch: Launch): Promise<void> {
    const pid = this.#pidOf(launch);
    process.kill(-pid, 'SIGKILL');
    await untilGone(pid);
  }

  /** What leads its group dies, and nothing else of it. */
  killHead(launch: Launch): void {
    process.kill(this.#pidOf(launch), 'SIGKILL');
  }

  /** It began before this start of the machine. */
  reboot(launch: Launch): void {
    const file = this.fileOf(launch, 'begun');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*/, 'another-boot'));
  }

  linesOf(name: string): readonly string[] {
    return readFileSync(path.join(this.root, name), 'utf8').trimEnd().split('\n');
  }

  #pidOf(launch: Launch): number {
    return Number(readFileSync(this.fileOf(launch, 'begun'), 'utf8').split('\n')[1]);
  }

  /** What a machine keeps of an attempt. */
  fileOf({ term }: Launch, name: string): string {
    const folder = path.join(this.root, '.state', 'interlock', 'machine', this.board);
    return path.join(folder, 't', `${term}.${name}`);
  }

  outputOf({ definition: { id } }: Launch): string {
    const log = this.logOf(id);
    return existsSync(log) ? readFileSync(log, 'utf8') : '';
  }

  logOf(task: string): string {
    return path.join(this.root, '.state', 'logs', `${task}.log`);
  }
}

/** All that a machine has to have, and nothing else. */
const PROGRAMS =
  'sh awk cat env getconf grep head ln mkdir mkfifo mv od rm sed setsid tail tr uname wc echo true sleep';

function poorPath(): string {
  const folder = temporaryFolder();
  for (const name of PROGRAMS.split(' ')) symlinkSync(`/usr/bin/${name}`, path.join(folder, name));
  return folder;
}

/** Ends with the number that it is told. */
const LISTENER = `
mkfifo told-$INTERLOCK_TERM
echo begun > begun-$INTERLOCK_TERM
read code < told-$INTERLOCK_TERM
exit $code`;
