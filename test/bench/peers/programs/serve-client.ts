import type { Counted } from '../claim-clients.ts';

/** One client of an engine, in a process of its own. */
export interface Client<Target> {
  /** Puts the tasks there that the others will claim. */
  readonly fill: (target: Target) => void | Promise<void>;
  /** Does everything that comes before the first claim; what it answers with is measured. */
  readonly connect: (target: Target) => Contest | Promise<Contest>;
}

export type Contest = (durationMs: number) => Promise<Counted>;

/** Answers the process that has started this one: see `measureClients`. */
export async function serveClient<Target>({ fill, connect }: Client<Target>): Promise<void> {
  const [, , role, json = ''] = process.argv;
  const target: Target = JSON.parse(json);
  if (role === 'fill') {
    await fill(target);
    process.exit(0);
  }
  const contest = await connect(target);
  process.once('message', (durationMs: number) => {
    void contest(durationMs).then((counted) => process.send?.(counted, () => process.exit(0)));
  });
  process.send?.('ready');
}

/** Claims and completes until the time is over or there is nothing left. */
export function cycling<Task>(steps: {
  readonly claim: () => Task | undefined | Promise<Task | undefined>;
  readonly complete: (task: Task) => unknown;
}): Contest {
  return async (durationMs) => {
    const claimMs: number[] = [];
    const start = performance.now();
    let now = start;
    while (now - start < durationMs) {
      const task = await steps.claim();
      if (task === undefined) break;
      claimMs.push(performance.now() - now);
      await steps.complete(task);
      now = performance.now();
    }
    const elapsedMs = now - start;
    return { cycles: claimMs.length, elapsedMs, claimMs: Float64Array.from(claimMs) };
  };
}
