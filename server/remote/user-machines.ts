import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Machines } from '../board/session-ports.ts';
import type { Launch, Runner, RunnerNews } from '../engine/ports.ts';
import { decidersLink } from './deciders-link.ts';
import { HostSights } from './host-sights.ts';
import { HostSupply } from './host-supply.ts';
import { LinkPool } from './link-pool.ts';
import { LocalLogs } from './local-logs.ts';
import { LocalSupply } from './local-supply.ts';
import { MachineRunner } from './machine-runner.ts';
import { LOCAL, machineWord } from './machine-word.ts';
import { PulledLogs } from './pulled-logs.ts';
import { RemoteMachines, type SetHosts } from './remote-machines.ts';
import { RoutingRunner } from './routing-runner.ts';
import { UserSsh } from './ssh-side.ts';
import { sshLink } from './ssh/ssh-link.ts';
import { Sync } from './sync/sync.ts';

export interface UserMachinesOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where this user's programs keep what they have to remember. */
  readonly stateFolder: string;
  readonly known: SetHosts;
  /** In milliseconds since 1970. */
  readonly timeOfDay: () => number;
}

/** What machines have to know of a board. */
interface MachineBoard {
  /** What it is called there. */
  readonly name: string;
  /** What its repository is called. */
  readonly repo: string;
  /** Where it keeps what it has to remember. */
  readonly folder: string;
}

export interface RunnerParts {
  readonly news: RunnerNews;
  /** Commands of this machine that have no session. */
  readonly newProcesses: (news: RunnerNews) => Runner;
  readonly logFile: (launch: Launch) => string;
  /** By which a command on this machine shows that it is the one of this launch. */
  readonly proofOf: (launch: Launch) => string;
  /** Whether this process decides still; asked before anything goes to a machine. */
  readonly mayAct: () => boolean;
  readonly noticed: (sentence: string) => void;
  /** A mistake of ours; what can go on does. */
  readonly faulted: (error: unknown) => void;
}

const FINE = 1000;

/** This machine and the user's hosts, for all boards of this process. */
export class UserMachines {
  readonly #options: UserMachinesOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #sights = new HostSights();
  readonly #hurries = new Set<(host: string) => void>();
  readonly #links: LinkPool;

  constructor(options: UserMachinesOptions) {
    const { env, stateFolder } = options;
    this.#options = options;
    this.#env = { ...env, INTERLOCK_STATE_DIR: stateFolder };
    this.#links = new LinkPool((destination) => sshLink(destination, { env }));
  }

  /** Runs the commands of a board in processes and sessions of this machine, and on the hosts. */
  runner(board: MachineBoard, parts: RunnerParts): Runner {
    const { news, newProcesses, logFile, proofOf, mayAct, noticed, faulted } = parts;
    const { stateFolder, known, env } = this.#options;
    const { name, repo } = board;
    const folder = path.join(board.folder, 'trees');
    const sync = new Sync({ board: name, repo, folder, env, newWord: randomUUID });
    const way = { board: name, newWord: randomUUID, random: () => randomInt(FINE) / FINE, faulted };
    const newSessions = (own: RunnerNews): Runner =>
      new MachineRunner({
        ...way,
        word: machineWord(name, LOCAL),
        news: own,
        link: decidersLink(new UserSsh(this.#env).linkTo(undefined), mayAct),
        logs: new LocalLogs(),
        supply: new LocalSupply({ board: name, repo, logFile, parentEnv: env, proofOf }),
      });
    return new RoutingRunner({
      news,
      newProcesses,
      known,
      noticed,
      onHosts: (sights) => this.#sights.see(name, sights),
      onHurry: (listener) => {
        this.#hurries.add(listener);
        return { [Symbol.dispose]: () => void this.#hurries.delete(listener) };
      },
      sessionsFolder: path.join(stateFolder, 'machine', machineWord(name, LOCAL)),
      ...(process.platform !== 'win32' && { newSessions }),
      newHost: (host, ear) => {
        const link = decidersLink(this.#links.of(host.ssh), mayAct);
        const supply = new HostSupply({ board: name, repo, host, link, sync, logFile, noticed });
        const word = machineWord(name, host.name);
        return new MachineRunner({ ...way, ...ear, word, link, supply, logs: new PulledLogs() });
      },
    });
  }

  /** `boardName` is asked only where somebody goes there. */
  of(board: {
    readonly boardName: () => string;
    readonly repo: string;
    readonly root: string;
  }): Machines {
    const { known, timeOfDay } = this.#options;
    return new RemoteMachines({
      ...board,
      timeOfDay,
      set: known,
      hurry: (host) => {
        for (const listener of this.#hurries) listener(host);
      },
      sights: this.#sights,
      ssh: new UserSsh(this.#env),
      newWord: randomUUID,
    });
  }
}
