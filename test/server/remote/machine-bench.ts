import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import type { Launch, Runner, RunnerNews } from '../../../server/engine/ports.ts';
import { LocalLogs } from '../../../server/remote/local-logs.ts';
import { localLink } from '../../../server/remote/local-link.ts';
import { machineOrder } from '../../../server/remote/machine-order.ts';
import { MachineRunner } from '../../../server/remote/machine-runner.ts';
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
  /** Programs that the machine does not have. */
  readonly hasTmux?: boolean;
}

/** Real commands, sessions and files, on this machine as on any other. */
export class MachineBench implements RunnerBench {
  readonly root = temporaryFolder();
  readonly board = `test-${process.pid}-${(lastTerm += 1)}`;
  readonly #options: MachineBenchOptions;

  constructor(options: MachineBenchOptions = {}) {
    this.#options = options;
  }

  open(news: RunnerNews): Runner {
    const env = { ...process.env, XDG_STATE_HOME: path.join(this.root, '.state') };
    const runner = new MachineRunner({
      link: localLink(env),
      board: this.board,
      newWord: () => `hello-${process.pid}-${(lastWord += 1)}`,
      random: () => 0.5,
      news,
      logs: new LocalLogs(),
      supply: {
        prepare: async (launch) =>
          machineOrder(launch, {
            board: this.board,
            folder: path.join(this.root, launch.definition.cwd),
            environment: {},
            logFile: this.#logOf(launch.definition.id),
          }),
        collect: async () => {},
        discard: async () => {},
        logFile: ({ definition: { id } }) => this.#logOf(id),
      },
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
    const [, pid = ''] = readFileSync(this.fileOf(launch, 'begun'), 'utf8').split('\n');
    process.kill(-Number(pid), 'SIGKILL');
    await untilGone(Number(pid));
  }

  /** What a machine keeps of an attempt. */
  fileOf({ term }: Launch, name: string): string {
    const folder = path.join(this.root, '.state', 'interlock', 'machine', this.board);
    return path.join(folder, 't', String(term), name);
  }

  outputOf({ definition: { id } }: Launch): string {
    const log = this.#logOf(id);
    return existsSync(log) ? readFileSync(log, 'utf8') : '';
  }

  #logOf(task: string): string {
    return path.join(this.root, '.state', 'logs', `${task}.log`);
  }
}

/** Ends with the number that it is told. */
const LISTENER = `
mkfifo told-$INTERLOCK_TERM
echo begun > begun-$INTERLOCK_TERM
read code < told-$INTERLOCK_TERM
exit $code`;
