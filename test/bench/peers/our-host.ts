import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { CommandEnd } from '../../../server/engine/ports.ts';
import { machineOrder } from '../../../server/remote/machine-order.ts';
import { MachineRunner } from '../../../server/remote/machine-runner.ts';
import { PulledLogs } from '../../../server/remote/pulled-logs.ts';
import { sshLink } from '../../../server/remote/ssh/ssh-link.ts';
import { definition, runId } from '../../support/runs.ts';

/** Our way to run commands on a host, without the board that decides which. */
export class OurHost {
  readonly #host: string;
  readonly #folder: string;
  readonly #runner: MachineRunner;
  readonly #waiting = new Map<number, PromiseWithResolvers<CommandEnd>>();
  #lastTerm = 0;

  /** What is printed there lies in the folder here. */
  constructor(host: string, { sshConfig, folder }: { sshConfig: string; folder: string }) {
    [this.#host, this.#folder] = [host, folder];
    const board = `bench-${randomBytes(4).toString('hex')}`;
    this.#runner = new MachineRunner({
      link: sshLink(host, { env: process.env, configFile: sshConfig }),
      board,
      word: board,
      newWord: () => randomBytes(16).toString('hex'),
      random: () => 0.5,
      faulted: (error) => {
        throw error;
      },
      news: {
        started: () => {},
        ended: (term, end) => this.#waiting.get(term)?.resolve(end),
        outOfSight: () => {},
        placeSeen: () => {},
        placeGone: () => {},
      },
      logs: new PulledLogs(),
      supply: {
        prepare: async (launch) =>
          machineOrder(launch, { board, repo: 'bench', folder: '/', environment: {} }),
        collect: async () => 'here',
        terms: async () => [],
        discard: async () => {},
        close: () => {},
        logFile: ({ term }) => this.logOf(term),
      },
    });
  }

  /** Answers its term when its end is told. In a session it has a terminal, and a session of its own. */
  async run(script: string, { isInSession = false } = {}): Promise<number> {
    this.#lastTerm += 1;
    const term = this.#lastTerm;
    const ended = Promise.withResolvers<CommandEnd>();
    this.#waiting.set(term, ended);
    this.#runner.start({
      place: this.#host,
      root: '/',
      definition: definition(`task-${term}`, {
        command: { kind: 'shell', script },
        asks: { isInSession },
      }),
      run: runId(1),
      revision: 1,
      attempt: 1,
      term,
    });
    const { kind } = await ended.promise;
    this.#waiting.delete(term);
    this.#runner.settled();
    if (kind !== 'succeeded') throw new Error(`A task that does nothing ${kind}.`);
    return term;
  }

  logOf(term: number): string {
    return path.join(this.#folder, `${term}.log`);
  }

  close(): void {
    this.#runner.close();
  }
}
