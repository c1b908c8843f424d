import { isMap, isSeq, type Pair } from 'yaml';
import type { Problem, TextRange } from '../plan.ts';
import { readList, readText } from '../yaml-values.ts';
import { keyText, ProblemList, rangeOf, readYamlMap } from '../yaml-document.ts';
import { goBoolean, goDurationMs, goInteger } from './go-values.ts';

/** The newest version of `config.yml` that is understood. */
const CURRENT_VERSION = 11;
export const ARCHIVED = 'archived';
const DEFAULT_CLAIM_TIMEOUT = '1h';
const DEFAULT_CLASSES: readonly BoardClass[] = [
  { name: 'expedite', limit: 1, bypassesColumn: true },
  ...['fixed-date', 'standard', 'intangible'].map((name) => ({
    name,
    limit: 0,
    bypassesColumn: false,
  })),
];
const DEFAULT_CLASS = 'standard';

interface BoardStatus {
  readonly name: string;
  /** Nobody moves a task there without claiming it. */
  readonly isForHolders: boolean;
}

interface BoardClass {
  readonly name: string;
  /** How many of its tasks are worked on at once, over all statuses; 0 is any number. */
  readonly limit: number;
  /** The limits of statuses do not count for it. */
  readonly bypassesColumn: boolean;
}

/** What `config.yml` says, as kanban-md understands it once it has brought the file up to date. */
export interface BoardConfig {
  readonly name: string | undefined;
  readonly statuses: readonly BoardStatus[];
  /** From the lowest to the highest. */
  readonly priorities: readonly string[];
  readonly classes: readonly BoardClass[];
  /** How many tasks a status takes; 0 is any number. */
  readonly limits: ReadonlyMap<string, number>;
  /** After this a claim counts no more; 0 is never. */
  readonly claimTimeoutMs: number;
  readonly problems: readonly Problem[];
  /** Why nothing of the board is run or changed. */
  readonly refusal: string | undefined;
}

/** Never throws; what kanban-md would refuse is a problem, and the rest counts all the same. */
export function readBoardConfig(text: string): BoardConfig {
  return new ConfigReader(text).read();
}

/** `done` and whatever is behind it: nobody does such a task, and nobody has to wait for it. */
export function isTerminal({ statuses }: BoardConfig, status: string): boolean {
  return status === ARCHIVED || status === doneStatus({ statuses });
}

/** The last one, or the one before `archived`. */
export function doneStatus({ statuses }: Pick<BoardConfig, 'statuses'>): string | undefined {
  const last = statuses.at(-1)?.name;
  return last === ARCHIVED && statuses.length > 1 ? statuses.at(-2)?.name : last;
}

class ConfigReader {
  readonly #problems = new ProblemList();
  readonly #pairs: ReadonlyMap<string, Pair>;
  readonly #isEmpty: boolean;
  #refusal: string | undefined;

  constructor(text: string) {
    const map = readYamlMap(text, this.#problems);
    this.#isEmpty = map === undefined;
    this.#pairs = new Map(map?.items.map((pair) => [keyText(pair), pair]));
  }

  read(): BoardConfig {
    if (this.#isEmpty) this.#refusal = 'The "config.yml" of its board cannot be read.';
    const version = this.#version();
    const statuses = this.#statuses(version);
    const priorities = this.#names('priorities');
    if (this.#pairs.has('priorities') && priorities.length === 0)
      this.#wrong('priorities', 'A board has at least one priority.');
    const classes = this.#classes(version);
    const names = statuses.map(({ name }) => name);
    this.#checkDefaults(
      { status: names, priority: priorities, class: classNames(classes) },
      version,
    );
    const config = {
      name: this.#name(),
      statuses,
      priorities,
      classes,
      limits: this.#limits(names),
      claimTimeoutMs: this.#claimTimeout(version),
    };
    this.#checkRest(version);
    return { ...config, problems: this.#problems.all, refusal: this.#refusal };
  }

  #version(): number {
    const pair = this.#pairs.get('version');
    const version = pair && goInteger(pair.value);
    if (this.#isEmpty) return CURRENT_VERSION;
    if (version === undefined || version < 1) {
      this.#problems.error(
        'wrong-type',
        rangeOf(pair?.value),
        `"version" is a whole number from 1 to ${CURRENT_VERSION}.`,
      );
      return CURRENT_VERSION;
    }
    if (version > CURRENT_VERSION) {
      this.#refusal = `Its board has version ${version}, and this version of Interlock knows versions up to ${CURRENT_VERSION}: tasks are shown, and nothing of them is run or changed.`;
      const message = `This board has version ${version}, and this version of Interlock knows versions up to ${CURRENT_VERSION}. Its tasks are shown, and nothing of them is run or changed. Update Interlock.`;
      this.#problems.error('not-yet', rangeOf(pair?.value), message);
    }
    return version;
  }

  #name(): string | undefined {
    const board = this.#pairs.get('board');
    const pair = isMap(board?.value)
      ? board.value.items.find((item) => keyText(item) === 'name')
      : undefined;
    const name = pair && readText(pair.value, 'name', this.#problems);
    if (!this.#isEmpty && (name === undefined || name === ''))
      this.#problems.error(
        'missing-key',
        rangeOf(board?.key),
        'A board has a name: "board: { name: … }".',
      );
    return name;
  }

  #statuses(version: number): readonly BoardStatus[] {
    const pair = this.#pairs.get('statuses');
    const items = isSeq(pair?.value) ? pair.value.items : [];
    const statuses = items.flatMap((item) => this.#status(item) ?? []);
    if (version < 6 && !statuses.some(({ name }) => name === ARCHIVED))
      statuses.push({ name: ARCHIVED, isForHolders: false });
    if (statuses.length < 2) {
      this.#refusal ??=
        'Its board does not say which statuses there are ("statuses" of "config.yml").';
      if (!this.#isEmpty)
        this.#wrong(
          'statuses',
          '"statuses" is a list of at least two, in their order: [todo, doing, done].',
        );
    }
    return statuses;
  }

  #status(item: unknown): BoardStatus | undefined {
    if (!isMap(item)) {
      const name = readText(item, 'statuses', this.#problems);
      return name === undefined ? undefined : { name, isForHolders: false };
    }
    const pairs = new Map(item.items.map((pair) => [keyText(pair), pair]));
    const name = pairs.get('name');
    const text = name && readText(name.value, 'name', this.#problems);
    if (text === undefined)
      this.#problems.error('missing-key', rangeOf(item), 'A status has a name: "name: …".');
    return text === undefined
      ? undefined
      : { name: text, isForHolders: goBoolean(pairs.get('require_claim')?.value) === true };
  }

  #names(key: string): readonly string[] {
    const pair = this.#pairs.get(key);
    const mentions = pair === undefined ? [] : readList(pair, 'names', this.#problems);
    return mentions.map(({ text }) => text);
  }

  #classes(version: number): readonly BoardClass[] {
    const pair = this.#pairs.get('classes');
    const items = isSeq(pair?.value) ? pair.value.items : [];
    if (version < 3 && items.length === 0) return DEFAULT_CLASSES;
    return items.flatMap((item): readonly BoardClass[] => {
      const pairs = new Map(isMap(item) ? item.items.map((each) => [keyText(each), each]) : []);
      const name = pairs.get('name');
      const text = name && readText(name.value, 'name', this.#problems);
      if (text === undefined || text === '') {
        this.#problems.error('missing-key', rangeOf(item), 'A class has a name: "name: …".');
        return [];
      }
      const limit = pairs.get('wip_limit');
      return [
        {
          name: text,
          limit: limit === undefined ? 0 : this.#limit(limit),
          bypassesColumn: goBoolean(pairs.get('bypass_column_wip')?.value) === true,
        },
      ];
    });
  }

  #limits(statuses: readonly string[]): ReadonlyMap<string, number> {
    const pair = this.#pairs.get('wip_limits');
    const items = isMap(pair?.value) ? pair.value.items : [];
    for (const item of items)
      if (!statuses.includes(keyText(item)))
        this.#problems.error(
          'wrong-type',
          rangeOf(item.key),
          `There is no status "${keyText(item)}" on this board.`,
        );
    return new Map(items.map((item) => [keyText(item), this.#limit(item)]));
  }

  #limit(pair: Pair): number {
    const limit = goInteger(pair.value);
    if (limit !== undefined && limit >= 0) return limit;
    this.#problems.error(
      'wrong-type',
      rangeOf(pair.value),
      'A limit is a whole number, 0 or more; 0 is no limit.',
    );
    return 0;
  }

  #claimTimeout(version: number): number {
    const pair = this.#pairs.get('claim_timeout');
    const said = pair && readText(pair.value, 'claim_timeout', this.#problems);
    const text =
      said === undefined || said === '' ? (version < 3 ? DEFAULT_CLAIM_TIMEOUT : '0') : said;
    const timeoutMs = goDurationMs(text);
    if (timeoutMs === undefined)
      this.#wrong('claim_timeout', '"claim_timeout" is a duration: 30m, 1h, 1h30m.');
    return Math.max(0, timeoutMs ?? 0);
  }

  #checkDefaults(known: Readonly<Record<string, readonly string[]>>, version: number): void {
    const defaults = this.#pairs.get('defaults')?.value;
    for (const pair of isMap(defaults) ? defaults.items : []) {
      const names = known[keyText(pair)];
      if (names === undefined) continue;
      const text = readText(pair.value, keyText(pair), this.#problems) ?? '';
      const isMigrated =
        keyText(pair) === 'class' && (text === '' || (version < 3 && text === DEFAULT_CLASS));
      const isChecked = names.length > 0 || keyText(pair) !== 'class';
      if (!isMigrated && isChecked && !names.includes(text))
        this.#problems.error(
          'wrong-type',
          rangeOf(pair.value),
          `There is no ${keyText(pair)} "${text}" on this board.`,
        );
    }
  }

  #checkRest(version: number): void {
    const next = this.#pairs.get('next_id');
    if (next !== undefined && !((goInteger(next.value) ?? 0) >= 1))
      this.#wrong('next_id', '"next_id" is a whole number, 1 or more.');
    const tui = this.#pairs.get('tui')?.value;
    const lines = isMap(tui)
      ? tui.items.find((pair) => keyText(pair) === 'title_lines')
      : undefined;
    const count = lines && goInteger(lines.value);
    if (lines !== undefined && version >= 4 && !(count !== undefined && count >= 1 && count <= 3))
      this.#problems.error('wrong-type', rangeOf(lines.value), '"title_lines" is 1, 2 or 3.');
    for (const key of ['statuses', 'priorities', 'classes']) this.#checkTwice(key);
  }

  #checkTwice(key: string): void {
    const list = this.#pairs.get(key)?.value;
    const first = new Map<string, TextRange>();
    for (const item of isSeq(list) ? list.items : []) {
      const name = isMap(item) ? item.items.find((pair) => keyText(pair) === 'name')?.value : item;
      const text = readText(name, 'name', new ProblemList());
      const earlier = first.get(text ?? '');
      if (text === undefined) continue;
      if (earlier === undefined) first.set(text, rangeOf(name));
      else
        this.#problems.add({
          code: 'duplicate-key',
          severity: 'error',
          message: `"${text}" is here twice.`,
          range: rangeOf(name),
          related: [{ message: 'It is here first.', range: earlier }],
        });
    }
  }

  #wrong(key: string, rule: string): void {
    const pair = this.#pairs.get(key);
    this.#problems.error('wrong-type', rangeOf(pair?.value ?? pair?.key), rule);
  }
}

function classNames(classes: readonly BoardClass[]): readonly string[] {
  return classes.map(({ name }) => name);
}
