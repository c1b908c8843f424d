import path from 'node:path';
import type { Launch } from '../engine/ports.ts';
import { baseEnvironment } from '../runners/environment.ts';
import { folderSentence, resolveFolder } from '../runners/folder.ts';
import { type MachineOrder, machineOrder } from './machine-order.ts';
import type { Supply } from './supply.ts';
import type { Refusal } from './task-session.ts';

export interface LocalSupplyOptions {
  readonly board: string;
  /** What the repository is called. */
  readonly repo: string;
  readonly logFile: (launch: Launch) => string;
  readonly parentEnv: NodeJS.ProcessEnv;
  /** By which a command shows that it is the one of this launch. */
  readonly proofOf: (launch: Launch) => string;
}

/** On this machine all is there, and what a task makes stays where it is. */
export class LocalSupply implements Supply {
  readonly #options: LocalSupplyOptions;

  constructor(options: LocalSupplyOptions) {
    this.#options = options;
  }

  async prepare(launch: Launch): Promise<MachineOrder | Refusal> {
    const { board, repo, parentEnv, proofOf } = this.#options;
    const folder = resolveFolder(launch);
    if (folder === undefined) return { refusal: folderSentence(launch), mayPass: false };
    const logFile = this.logFile(launch);
    const environment = {
      ...baseEnvironment(parentEnv),
      INTERLOCK_BOARD: path.resolve(launch.root),
      INTERLOCK_PROOF: proofOf(launch),
    };
    return machineOrder(launch, { board, repo, folder, environment, logFile });
  }

  async collect(): Promise<'here'> {
    return 'here';
  }

  async terms(): Promise<readonly number[]> {
    return [];
  }

  async discard(): Promise<void> {
    // Nothing was brought here.
  }

  logFile(launch: Launch): string {
    return this.#options.logFile(launch);
  }

  close(): void {
    // Nothing is brought here.
  }
}
