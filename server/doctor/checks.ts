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
import type { MachineFacts } from './ports.ts';

export interface Check {
  readonly name: string;
  readonly look: () => Promise<Finding>;
}

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
  ];
}
