/**
 * The words of the language. `later` keys belong to it but this version does not act on them yet;
 * using one is a warning that says so, so that nobody relies on it in vain.
 */
export interface KeyTable {
  /** Whose keys they are, as a problem names it. */
  readonly of: string;
  readonly now: readonly string[];
  readonly later: readonly string[];
}

export const PLAN_KEYS: KeyTable = {
  of: 'a plan',
  now: ['version', 'name', 'limits', 'hazards', 'defaults', 'tasks'],
  later: ['agents'],
};

/** What a task may take from `defaults`. */
const SHARED_KEYS = [
  'cwd',
  'env',
  'priority',
  'resources',
  'needs',
  'retry',
  'timeout',
  'stuck_after',
  'lease',
] as const;

export type SharedKey = (typeof SHARED_KEYS)[number];

export const DEFAULTS_KEYS: KeyTable = {
  of: '"defaults"',
  now: SHARED_KEYS,
  later: ['in', 'on', 'isolation'],
};

export const TASK_KEYS: KeyTable = {
  of: 'a task',
  now: [
    'title',
    'description',
    'run',
    'role',
    'depends_on',
    'after',
    'reads',
    'writes',
    ...SHARED_KEYS,
  ],
  later: ['agent', 'prompt', 'in', 'on', 'isolation', 'shards', 'cache', 'artifacts'],
};

export const RETRY_KEYS: KeyTable = {
  of: '"retry"',
  now: ['attempts', 'backoff', 'factor', 'max', 'on'],
  later: [],
};

export const TIMEOUT_KEYS: KeyTable = { of: '"timeout"', now: ['soft', 'hard'], later: [] };

export const HAZARDS_KEYS: KeyTable = {
  of: '"hazards"',
  now: ['write-write', 'read-write', 'human', 'worktrees'],
  later: [],
};

export function isSharedKey(key: string): key is SharedKey {
  return SHARED_KEYS.some((shared) => shared === key);
}
