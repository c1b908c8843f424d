import type { ConnectionTiming } from '../../../server/remote/machine-connection.ts';
import type { Lab } from '../../support/lab/lab.ts';
import type { Fault } from './faults.ts';
import { Stage } from './stage.ts';
import { judge, type Verdict } from './verdict.ts';

/** What a fault has done. */
export interface FaultRow extends Verdict {
  readonly fault: string;
  readonly times: number;
}

export interface EpisodeOptions {
  readonly timing: ConnectionTiming;
  readonly outageMs: number;
}

/** Tasks on all hosts of a lab, with a fault in the middle, until all are done. */
export async function episode(
  lab: Lab,
  { name, tasks, happen }: Fault,
  { timing, outageMs }: EpisodeOptions,
): Promise<FaultRow> {
  const { count, slots, lines, pauseMs } = tasks;
  const stage = new Stage(lab, {
    timing,
    slots,
    tasks: Array.from({ length: count }, (_, at) => ({
      id: `task-${(lastTask += 1)}`,
      host: lab.hosts[at % lab.hosts.length]?.name ?? '',
      lines,
      pauseMs,
    })),
  });
  try {
    await stage.begin();
    const times = await happen(stage, outageMs);
    await stage.untilDone();
    return { fault: name, times, ...(await judge(stage)) };
  } finally {
    for (const host of lab.hosts) host.cable.mend();
    await stage.crash();
  }
}

let lastTask = 0;
