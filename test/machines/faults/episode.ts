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
  /** Absent: that of every day. */
  readonly timing?: ConnectionTiming;
  readonly outageMs: number;
}

/** As short as a busy machine allows. */
export const SHORT: EpisodeOptions = {
  timing: { retryMs: { first: 50, most: 400 }, beatMs: 250, silenceMs: 1000, staleMs: 2500 },
  outageMs: 1500,
};

/** Tasks on all hosts of a lab, with a fault in the middle, until all are done. */
export async function episode(
  lab: Lab,
  { name, tasks, happen }: Fault,
  { timing, outageMs }: EpisodeOptions,
): Promise<FaultRow> {
  const { count, slots, lines, isInSession = false } = tasks;
  // The longer they are away, the longer what they are away from has to take.
  const pauseMs = (tasks.pauseMs * outageMs) / SHORT.outageMs;
  const stage = new Stage(lab, {
    ...(timing && { timing }),
    slots,
    tasks: Array.from({ length: count }, (_, at) => ({
      id: `task-${(lastTask += 1)}`,
      host: lab.hosts[at % lab.hosts.length]?.name ?? '',
      lines,
      pauseMs,
      isInSession,
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
