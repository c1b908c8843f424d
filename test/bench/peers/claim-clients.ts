import { type ChildProcess, fork } from 'node:child_process';
import { fairness, quantile } from './figures.ts';
import { programFile } from './program-file.ts';

/** What the clients of one engine reached together. */
export interface Claims {
  /** A cycle is one task claimed and completed, each for itself as durable as the engine says. */
  readonly cyclesPerSecond: number;
  /** Jain's index over what each client got. */
  readonly fairness: number;
  /** Absent where the engine hands tasks out by itself. */
  readonly claimMs?: ClaimTimes;
}

interface ClaimTimes {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}

/** What one client says in the end. */
export interface Counted {
  readonly cycles: number;
  /** Until the last cycle was over: an engine that ran out of tasks is not counted as slow. */
  readonly elapsedMs: number;
  readonly claimMs?: Float64Array;
}

export interface Clients {
  /** The name of a file in `programs/` that calls `serveClient`. */
  readonly program: string;
  /** What each of them is told, as JSON. */
  readonly target: unknown;
  readonly clients: number;
  readonly env?: NodeJS.ProcessEnv;
}

const DURATION_MS = 2000;
export const PAYLOAD = 'x'.repeat(200);

/** Fills the queue with one process, then lets all clients loose on it at once. */
export async function measureClients(asked: Clients): Promise<Claims> {
  await ofClient(startClient(asked, 'fill'), () => undefined);
  const children = Array.from({ length: asked.clients }, () => startClient(asked, 'work'));
  try {
    const answers = children.map((child) => talkTo(child));
    await Promise.all(answers.map(async ({ ready }) => await ready));
    for (const child of children) child.send(DURATION_MS);
    return together(await Promise.all(answers.map(async ({ counted }) => await counted)));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

function startClient({ program, target, env }: Clients, role: string): ChildProcess {
  return fork(programFile(program), [role, JSON.stringify(target)], {
    execArgv: [],
    env: env ?? process.env,
    serialization: 'advanced',
  });
}

function talkTo(child: ChildProcess): {
  readonly ready: Promise<unknown>;
  readonly counted: Promise<Counted>;
} {
  const ready = Promise.withResolvers<unknown>();
  const counted = ofClient(child, (message) => {
    if (message !== 'ready') return message;
    ready.resolve(message);
    return undefined;
  });
  counted.catch(ready.reject);
  return { ready: ready.promise, counted };
}

/** The last thing a client says that counts; rejects when it fails. */
async function ofClient<Answer>(
  child: ChildProcess,
  answerOf: (message: Counted | 'ready') => Answer | undefined,
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    let answer: Answer | undefined;
    child.on('message', (message: Counted | 'ready') => (answer = answerOf(message)));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(answer!);
      else reject(new Error('A client failed; what it said is above.'));
    });
  });
}

function together(all: readonly Counted[]): Claims {
  const cycles = all.reduce((total, client) => total + client.cycles, 0);
  const seconds = Math.max(...all.map(({ elapsedMs }) => elapsedMs)) / 1000;
  const times = all.flatMap(({ claimMs }) => (claimMs === undefined ? [] : [...claimMs]));
  return {
    cyclesPerSecond: cycles / seconds,
    fairness: fairness(all.map((client) => client.cycles)),
    ...(times.length === 0 ? {} : { claimMs: claimTimes(times) }),
  };
}

function claimTimes(times: readonly number[]): ClaimTimes {
  const sorted = Float64Array.from(times).toSorted();
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((part) => quantile(sorted, part));
  return { p50: p50!, p99: p99!, p999: p999!, longest: sorted.at(-1)! };
}
