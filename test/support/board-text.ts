import type { Doer, TaskAsks } from '../../server/domain/asks.ts';
import { parsePriority } from '../../server/domain/priority.ts';
import { NO_RETRY } from '../../server/domain/failure/retry.ts';
import type { HazardPolicy, HazardRule } from '../../server/domain/run.ts';

/** A line of a board: what it is about, and what is said of it. */
export interface BoardLine {
  readonly kind: 'board' | 'run' | 'worker' | 'host' | 'agent' | 'person' | 'task';
  readonly name: string;
  readonly clauses: Clauses;
}

const KINDS = ['board', 'run', 'worker', 'host', 'agent', 'person'] as const;

/** `run older-run: parallel 2`, `host build-1: unreachable`; whatever else has a name is a task. */
export function parseBoardText(text: string): readonly BoardLine[] {
  return text.split('\n').map((line) => {
    const [, head = '', rest = ''] = /^(.*?)(?:: ?(.*))?$/.exec(line) ?? [];
    const clauses = new Clauses(rest === '' ? [] : rest.split(', '));
    const kind = KINDS.find((each) => head.startsWith(`${each} `));
    if (kind === undefined) return { kind: 'task', name: head, clauses };
    return { kind, name: head.slice(kind.length + 1), clauses };
  });
}

/** What is said of one thing: `needs lint docs`, `running`, `takes db:1 cpu:2`. */
export class Clauses {
  readonly #clauses: readonly string[];

  constructor(clauses: readonly string[]) {
    this.#clauses = clauses;
  }

  says(clause: string): boolean {
    return this.#clauses.includes(clause);
  }

  /** The words after `word` in the clause that starts with it. */
  wordsAfter(word: string): readonly string[] {
    const clause = this.#clauses.find((each) => each.startsWith(`${word} `));
    return clause?.slice(word.length + 1).split(' ') ?? [];
  }

  wordAfter(word: string): string | undefined {
    return this.wordsAfter(word)[0];
  }

  numberAfter(word: string): number | undefined {
    const found = this.wordAfter(word);
    return found === undefined ? undefined : Number(found);
  }

  /** `expects 5s`, `lease 200ms`. */
  millisecondsAfter(word: string): number | undefined {
    const found = this.wordAfter(word);
    if (found === undefined) return undefined;
    const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(found) ?? [];
    if (amount === undefined) throw new Error(`"${found}" is no length of time.`);
    return Number(amount) * (unit === 'm' ? 60_000 : unit === 's' ? 1000 : 1);
  }

  /** `db:1 cpu:2` as amounts. */
  amountsAfter(word: string): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.wordsAfter(word).map((pair) => {
        const [name = '', amount = ''] = pair.split(':');
        return [name, Number(amount)];
      }),
    );
  }
}

/** What a task asks of the scheduler; nothing where nothing is said of it. */
export function asksIn(clauses: Clauses): Partial<TaskAsks> | undefined {
  const asks: Partial<TaskAsks> = {
    ...doerIn(clauses),
    ...given('priority', priorityIn(clauses)),
    ...given('needs', listIn(clauses, 'capable')),
    ...given('hosts', listIn(clauses, 'on')),
    ...given('expectedMs', clauses.millisecondsAfter('expects')),
    ...given('stuckAfterMs', clauses.millisecondsAfter('stuck after')),
    ...given('leaseMs', clauses.millisecondsAfter('lease')),
    ...given('resources', amountsIn(clauses, 'takes')),
    ...given('timeout', timeoutIn(clauses)),
    ...given('retry', retryIn(clauses)),
    ...given('isIsolated', clauses.says('isolated') || undefined),
    ...(clauses.says('without lease') && { leaseMs: undefined }),
  };
  return Object.keys(asks).length === 0 ? undefined : asks;
}

/** `limits db:1 cpu:8` of a plan or of a host. */
export function amountsIn(
  clauses: Clauses,
  word: string,
): Readonly<Record<string, number>> | undefined {
  const amounts = clauses.amountsAfter(word);
  return Object.keys(amounts).length === 0 ? undefined : amounts;
}

/** `hazards read-write:wait human:warn worktrees:ignore`. */
export function hazardsIn(clauses: Clauses): Partial<HazardPolicy> | undefined {
  const words = clauses.wordsAfter('hazards');
  if (words.length === 0) return undefined;
  const hazards: { -readonly [Name in keyof HazardPolicy]?: HazardPolicy[Name] } = {};
  for (const word of words) {
    const [name, rule = ''] = word.split(':');
    if (name === 'human') hazards.human = rule === 'ask' ? rule : ruleOf(rule);
    else if (name === 'write-write') hazards.writeWrite = ruleOf(rule);
    else if (name === 'read-write') hazards.readWrite = ruleOf(rule);
    else if (name === 'worktrees') hazards.worktrees = ruleOf(rule);
    else throw new Error(`"${word}" is no rule for hazards.`);
  }
  return hazards;
}

function ruleOf(text: string): HazardRule {
  if (text === 'wait' || text === 'warn' || text === 'ignore') return text;
  throw new Error(`"${text}" is no rule for a hazard.`);
}

function doerIn(clauses: Clauses): { readonly doer?: Doer } {
  for (const kind of ['agent', 'person', 'anyone', 'terminal'] as const)
    if (clauses.says(kind)) return { doer: { kind } };
  const agent = clauses.wordAfter('starts');
  return agent === undefined ? {} : { doer: { kind: 'started-agent', agent } };
}

function priorityIn(clauses: Clauses): TaskAsks['priority'] | undefined {
  const word = clauses.wordAfter('priority');
  return word === undefined ? undefined : parsePriority(word);
}

function listIn(clauses: Clauses, word: string): readonly string[] | undefined {
  const words = clauses.wordsAfter(word);
  return words.length === 0 ? undefined : words;
}

/** `timeout 5s` makes it end, `soft timeout 3s` asks it to. */
function timeoutIn(clauses: Clauses): TaskAsks['timeout'] | undefined {
  const softMs = clauses.millisecondsAfter('soft timeout');
  const hardMs = clauses.millisecondsAfter('timeout');
  if (softMs === undefined && hardMs === undefined) return undefined;
  return { ...given('softMs', softMs), ...given('hardMs', hardMs) };
}

/** `retries 3`: so many attempts, the first one included. */
function retryIn(clauses: Clauses): TaskAsks['retry'] | undefined {
  const attempts = clauses.numberAfter('retries');
  return attempts === undefined ? undefined : { ...NO_RETRY, attempts };
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Each in Name]?: Value } {
  const fields: { [Each in Name]?: Value } = {};
  if (value !== undefined) fields[name] = value;
  return fields;
}
