import { parseRunId, parseTaskId, type RunId, type TaskId } from '../domain/ids.ts';

/** The variable by which a command shows that it is the command of the task that others name. */
export const PROOF = 'INTERLOCK_PROOF';

/** The task whose command a process says that it is part of. Only the proof shows that it is. */
export interface InsideTask {
  readonly task: TaskId;
  readonly term: number;
  readonly run: RunId | undefined;
  readonly proof?: string;
}

export function insideOf(env: NodeJS.ProcessEnv): InsideTask | undefined {
  const task = parseTaskId(env['INTERLOCK_TASK'] ?? '');
  const term = Number(env['INTERLOCK_TERM']);
  if (task === undefined || !Number.isSafeInteger(term) || term < 1) return undefined;
  const run = parseRunId(env['INTERLOCK_RUN'] ?? '');
  // What is longer is no proof, and would make a request that nobody reads.
  const proof = env[PROOF]?.slice(0, PROOF_LENGTH);
  return { task, term, run, ...(proof !== undefined && { proof }) };
}

/** Twice as long as any that was given. */
const PROOF_LENGTH = 128;
