import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { TaskDefinition } from '../../server/domain/task.ts';
import type { CommandEnd, Launch, StartAnswer } from '../../server/engine/ports.ts';
import { machineOrder } from '../../server/remote/machine-order.ts';
import { MachineRunner } from '../../server/remote/machine-runner.ts';
import { PulledLogs } from '../../server/remote/pulled-logs.ts';
import { sshLink } from '../../server/remote/ssh/ssh-link.ts';
import { Lab } from '../support/lab/lab.ts';
import type { LabHost, LabHostOptions } from '../support/lab/lab-host.ts';
import { definition, runId } from '../support/runs.ts';

export type Outcome = CommandEnd | Extract<StartAnswer, { kind: 'not-started' }>;

export interface Told {
  readonly outcome: Outcome;
  readonly output: string;
}

export interface HostTask extends Partial<TaskDefinition> {
  /** Absolute, on the host. */
  readonly folder?: string;
  /** On this machine. */
  readonly root?: string;
}

/** A host of a lab of its own, and a runner that runs commands there. */
export class OneHost {
  readonly host: LabHost;
  readonly #lab: Lab;
  readonly #runner: MachineRunner;
  readonly #waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  readonly #unreachable = Promise.withResolvers<string>();
  #lastTerm = 0;
  #folder = '/';

  private constructor(lab: Lab, host: LabHost) {
    [this.#lab, this.host] = [lab, host];
    const board = 'hostile';
    this.#runner = new MachineRunner({
      link: sshLink(host.name, { env: process.env, configFile: lab.sshConfig }),
      board,
      word: board,
      newWord: () => randomBytes(16).toString('hex'),
      random: () => 0.5,
      faulted: (error) => {
        throw error;
      },
      news: {
        started: (term, answer) => {
          if (answer.kind === 'not-started') this.#waiting.get(term)?.resolve(answer);
        },
        ended: (term, end) => this.#waiting.get(term)?.resolve(end),
        outOfSight: () => {},
        placeSeen: () => {},
        placeGone: () => {},
      },
      onState: (state) => {
        if (state.kind === 'unreachable') this.#unreachable.resolve(state.why);
      },
      logs: new PulledLogs(),
      supply: {
        prepare: async (launch) =>
          machineOrder(launch, {
            board,
            repo: path.basename(launch.root),
            folder: this.#folder,
            environment: {},
          }),
        collect: async () => 'here',
        terms: async () => [],
        discard: async () => {},
        close: () => {},
        logFile: ({ term }) => this.#logOf(term),
      },
    });
  }

  static async open(options: LabHostOptions = {}): Promise<OneHost> {
    const lab = await Lab.open(['host'], options);
    const one = new OneHost(lab, lab.host('host'));
    onTestFinished(async () => {
      one.#runner.close();
      await lab[Symbol.asyncDispose]();
    });
    return one;
  }

  /** One after the other: they may have folders of their own. */
  async run({ folder = '/', root = '/shop', ...fields }: HostTask): Promise<Told> {
    this.#folder = folder;
    this.#lastTerm += 1;
    const launch: Launch = {
      place: this.host.name,
      root,
      definition: { ...definition(`task-${this.#lastTerm}`), ...fields },
      run: runId(1),
      revision: 1,
      attempt: 1,
      term: this.#lastTerm,
    };
    const told = Promise.withResolvers<Outcome>();
    this.#waiting.set(launch.term, told);
    this.#runner.start(launch);
    const outcome = await told.promise;
    const log = this.#logOf(launch.term);
    return { outcome, output: existsSync(log) ? readFileSync(log, 'utf8') : '' };
  }

  /** Resolves, with why, when nobody gets there. */
  async unreachable(): Promise<string> {
    return await this.#unreachable.promise;
  }

  /** Whatever is called so, anywhere where one of our shells has been. */
  found(name: string): readonly string[] {
    const inHome = readdirSync(this.host.home, { recursive: true, encoding: 'utf8' });
    const found = inHome.filter((file) => path.basename(file) === name);
    return [...found, ...['/', process.cwd()].filter((at) => existsSync(path.join(at, name)))];
  }

  #logOf(term: number): string {
    return path.join(this.#lab.folder, 'logs', `${term}.log`);
  }
}
