/**
 * The keys of a plan and of a task. `later` ones belong to the language but this version does not
 * act on them yet; using one is a warning that says so, so that nobody relies on it in vain.
 */
type Support = 'now' | 'later';

export const PLAN_KEYS: ReadonlyMap<string, Support> = new Map<string, Support>([
  ['version', 'now'],
  ['name', 'now'],
  ['limits', 'now'],
  ['tasks', 'now'],
  ['hazards', 'later'],
  ['defaults', 'later'],
  ['agents', 'later'],
]);

export const TASK_KEYS: ReadonlyMap<string, Support> = new Map<string, Support>([
  ['title', 'now'],
  ['description', 'now'],
  ['run', 'now'],
  ['cwd', 'now'],
  ['env', 'now'],
  ['depends_on', 'now'],
  ['after', 'now'],
  ['reads', 'now'],
  ['writes', 'now'],
  ['agent', 'later'],
  ['prompt', 'later'],
  ['priority', 'later'],
  ['resources', 'later'],
  ['in', 'later'],
  ['on', 'later'],
  ['needs', 'later'],
  ['role', 'later'],
  ['isolation', 'later'],
  ['shards', 'later'],
  ['retry', 'later'],
  ['timeout', 'later'],
  ['stuck_after', 'later'],
  ['lease', 'later'],
  ['cache', 'later'],
  ['artifacts', 'later'],
]);

/** `limits` may name any resource; only the number of parallel tasks is acted on yet. */
export const PARALLEL_LIMIT_KEY = 'parallel';
