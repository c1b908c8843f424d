import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Launch, Runner, RunnerNews } from '../engine/ports.ts';
import type { LinkPool } from './link-pool.ts';
import { localLink } from './local-link.ts';
import { LocalLogs } from './local-logs.ts';
import { LocalSupply } from './local-supply.ts';
import { MachineRunner } from './machine-runner.ts';
import { PulledLogs } from './pulled-logs.ts';
import { type HostSight, type KnownHosts, RoutingRunner } from './routing-runner.ts';
import type { Supply } from './supply.ts';
import type { HostDefinition } from '../domain/host.ts';

export interface BoardRunnerParts {
  readonly news: RunnerNews;
  readonly newProcesses: (news: RunnerNews) => Runner;
  /** What the board is called on machines. */
  readonly board: string;
  /** What its repository is called. */
  readonly repo: string;
  /** Where this user's programs keep what they have to remember. */
  readonly stateFolder: string;
  readonly logFile: (launch: Launch) => string;
  readonly parentEnv: NodeJS.ProcessEnv;
  readonly known: KnownHosts;
  readonly links: LinkPool;
  readonly supplyOf: (host: HostDefinition) => Supply;
  readonly noticed: (sentence: string) => void;
  readonly onHosts: (sights: readonly HostSight[]) => void;
}

const FINE = 1000;

/** Runs the commands of a board in processes and sessions of this machine, and on the user's hosts. */
export function boardRunner(parts: BoardRunnerParts): Runner {
  const { news, newProcesses, board, repo, stateFolder, parentEnv, known, links, noticed } = parts;
  const way = { board, newWord: randomUUID, random: () => randomInt(FINE) / FINE };
  const env = { ...parentEnv, INTERLOCK_STATE_DIR: stateFolder };
  return new RoutingRunner({
    news,
    newProcesses,
    known,
    noticed,
    onHosts: parts.onHosts,
    sessionsFolder: path.join(stateFolder, 'machine', board),
    ...(process.platform !== 'win32' && {
      newSessions: (sessionNews: RunnerNews) =>
        new MachineRunner({
          ...way,
          news: sessionNews,
          link: localLink(env),
          logs: new LocalLogs(),
          supply: new LocalSupply({ board, repo, logFile: parts.logFile, parentEnv }),
        }),
    }),
    newHost: (host, ear) =>
      new MachineRunner({
        ...way,
        ...ear,
        link: links.of(host.ssh),
        logs: new PulledLogs(),
        supply: parts.supplyOf(host),
      }),
  });
}
