import type { Finding } from './finding.ts';
import {
  judgeClock,
  judgeDecider,
  judgeRuntime,
  judgeSqlite,
  judgeState,
  judgeStore,
  judgeWatches,
} from './judge-interlock.ts';
import { judgeGit, judgeShell, judgeSsh, judgeTmux } from './judge-programs.ts';
import { AGENT_MAKES, AGENT_PATIENCE_MS, judgeAgent } from './judge-agents.ts';
import type { MachineFacts } from './ports.ts';

export interface Check {
  readonly name: string;
  /** Absent: that of all. */
  readonly limitMs?: number;
  /** Nothing where there is nothing to say: the row is left out. */
  readonly look: () => Promise<Finding | undefined>;
}

/** Each program is asked for its version, and then for its servers and hooks at once. */
const AGENT_LIMIT_MS = 2 * AGENT_PATIENCE_MS + 1000;

/** In the order in which one thing needs the other. */
export function checksOf(machine: MachineFacts): readonly Check[] {
  const { program } = machine;
  return [
    { name: 'runtime', look: async () => judgeRuntime(machine.runtime()) },
    { name: 'sqlite', look: async () => judgeSqlite(machine.sqlite()) },
    { name: 'state', look: async () => judgeState(machine.state()) },
    { name: 'store', look: async () => judgeStore(machine.store()) },
    {
      name: 'coordinator',
      look: async () => judgeDecider(await machine.decider(), machine.runtime().build),
    },
    { name: 'clock', look: async () => judgeClock(machine.clock()) },
    { name: 'watches', look: async () => judgeWatches(machine.watches()) },
    { name: 'shell', look: async () => judgeShell(program) },
    { name: 'git', look: async () => judgeGit(program) },
    { name: 'tmux', look: async () => judgeTmux(program) },
    { name: 'ssh', look: async () => judgeSsh(program) },
    ...AGENT_MAKES.map((make) => ({
      name: make,
      limitMs: AGENT_LIMIT_MS,
      look: async () => judgeAgent(make, machine),
    })),
  ];
}
