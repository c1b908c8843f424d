import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../sim/random.ts';
import { STEADY } from './agent-habits.ts';
import type { Duties } from './part-options.ts';
import { largePlan } from './plans.ts';
import type { ProcessFacts } from './processes.ts';
import { type Part, signal, Stage, within } from './stage.ts';
import { violationsOf, type Violation } from './verdict.ts';

/** Whom it meets. */
export const KILLS = {
  decider: 'kill -9 of whoever decides',
  anybody: 'kill -9 of any other process',
  pause: 'SIGSTOP past the lease, SIGCONT',
  slot: 'kill -9 of the shell of a command',
  power: 'kill -9 of all, commands included',
} as const;
export type Kill = keyof typeof KILLS;

/** How an episode goes: which kills, and how often of each. */
const KINDS: Readonly<Record<string, Partial<Record<Kill, number>>>> = {
  kills: { decider: 5, anybody: 1 },
  pauses: { decider: 2, pause: 4 },
  slots: { decider: 1, slot: 3 },
  power: { decider: 1, power: 2 },
};

export interface EpisodeOptions {
  readonly seed: number;
  readonly kind: string;
  readonly kills: number;
  readonly tasks: number;
}

export interface EpisodeResult {
  readonly options: EpisodeOptions;
  readonly kills: ReadonlyMap<Kill, number>;
  readonly runs: number;
  readonly violations: readonly Violation[];
  readonly takeOversMs: readonly number[];
  readonly tookMs: number;
}

const RUNS = 100;
const READY_MS = 30_000;
/** What an agent has lost is nobody's for a minute, and it may lose it a second time. */
const HEALED_MS = 300_000;
const GONE_MS = 5000;
const LAST_KILLS_MS = 120_000;
const LEASE_MS = 1000;
const KILLED = 'killed';
const POWER = 'power';

/** A board on which processes are killed again and again; then all heals, and everything is looked at. */
export async function playEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const episode = new Episode(options);
  const begunAt = performance.now();
  try {
    const result = await episode.play();
    return { ...result, tookMs: performance.now() - begunAt };
  } finally {
    await episode.stage.clear();
  }
}

class Episode {
  readonly stage = new Stage();
  readonly #options: EpisodeOptions;
  readonly #random: Random;
  readonly #kills = new Map<Kill, number>();
  readonly #starting: Promise<unknown>[] = [];

  constructor(options: EpisodeOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async play(): Promise<Omit<EpisodeResult, 'tookMs'>> {
    const { stage } = this;
    const options = this.#options;
    const { tasks: count, kind } = options;
    stage.plan(largePlan(this.#random, { count, journal: stage.folder }).text);
    for (const [name, duties] of castOf(kind)) await this.#start(name, duties);
    await this.#attack();
    const violations = [...(await this.#heal())];
    const strictness = { mayLoseResults: kind === 'slots' || kind === 'power' };
    violations.push(...violationsOf(stage, strictness));
    const runs = new Set(stage.journal.flatMap(runOf)).size;
    const takeOversMs = takeOversIn(stage.journal);
    return { options, kills: this.#kills, runs, violations, takeOversMs };
  }

  async #start(name: string, duties: Duties): Promise<void> {
    const part = await this.stage.start(name, duties, { seed: this.#random.below(1e9) });
    this.#starting.push(part.says('ready', READY_MS));
  }

  async #attack(): Promise<void> {
    const { kills, kind } = this.#options;
    await Promise.all(this.#starting);
    const weights = Object.entries(KINDS[kind] ?? {}).flatMap(([kill, weight]) =>
      Array.from({ length: weight }, () => kill),
    );
    const endsAt = performance.now() + LAST_KILLS_MS;
    for (let count = 0; count < kills && performance.now() < endsAt;) {
      await pause(this.#random.between(20, 250));
      const kill = this.#random.pick(weights);
      if (!isKill(kill) || !(await this.#strike(kill))) continue;
      this.#kills.set(kill, (this.#kills.get(kill) ?? 0) + 1);
      count += 1;
    }
  }

  /** Whether there was anybody to meet. */
  async #strike(kill: Kill): Promise<boolean> {
    const decider = this.#decider();
    const others = [...this.stage.parts].filter((part) => part !== decider && !part.isGone);
    switch (kill) {
      case 'decider':
        return decider !== undefined && (await this.#replace(decider));
      case 'anybody':
        return others.length > 0 && (await this.#replace(this.#random.pick(others)));
      case 'pause':
        return await this.#pause(this.#random.chance(0.7) ? decider : others[0]);
      case 'slot': {
        const slots = this.stage.processes.filter(({ isSlot }) => isSlot);
        return slots.length > 0 && signal(this.#random.pick(slots).pid, 'SIGKILL');
      }
      case 'power':
        return await this.#cutPower();
      default:
        return kill satisfies never;
    }
  }

  async #replace(part: Part): Promise<boolean> {
    this.#mark(part);
    part.signal('SIGKILL');
    await within(READY_MS, part.gone);
    await this.#start(part.name, part.duties);
    return true;
  }

  async #pause(part: Part | undefined): Promise<boolean> {
    if (part === undefined || part.isGone) return false;
    part.signal('SIGSTOP');
    await pause(LEASE_MS * (1.1 + this.#random.next()));
    part.signal('SIGCONT');
    return true;
  }

  async #cutPower(): Promise<boolean> {
    const parts = [...this.stage.parts];
    this.stage.write(POWER);
    for (const part of parts) part.signal('SIGKILL');
    for (const { pid } of this.stage.processes) signal(pid, 'SIGKILL');
    await within(READY_MS, Promise.all(parts.map(async (part) => part.gone)));
    for (const { pid } of this.stage.processes) signal(pid, 'SIGKILL');
    for (const { name, duties } of parts) await this.#start(name, duties);
    return true;
  }

  /** Whoever has written last that it decides, if it is alive. */
  #decider(): Part | undefined {
    const pid = this.stage.journal.findLast(([word]) => word === 'began')?.[1];
    return [...this.stage.parts].find((part) => String(part.pid) === pid && !part.isGone);
  }

  #mark({ pid }: Part): void {
    this.stage.write(KILLED, pid, Date.now());
  }

  async #heal(): Promise<readonly Violation[]> {
    const operator = [...this.stage.parts].find(({ name }) => name === 'operator');
    operator?.order('heal');
    const isOver = await operator?.says('over', HEALED_MS);
    const hasEnded = await this.stage.end(READY_MS);
    if (isOver !== true) return [{ column: 'stuck', what: 'it does not come to its end' }];
    if (!hasEnded) return [{ column: 'stuck', what: 'a process does not end' }];
    const left = await this.#processesLeft();
    if (left.length === 0) return [];
    return [
      { column: 'other', what: `left behind: ${left.map(({ command }) => command).join(', ')}` },
    ];
  }

  /** A slot goes when it finds that nobody is there. */
  async #processesLeft(): Promise<readonly ProcessFacts[]> {
    const endsAt = performance.now() + GONE_MS;
    let left = this.stage.processes;
    while (left.length > 0 && performance.now() < endsAt) {
      await pause(20);
      left = this.stage.processes;
    }
    return left;
  }
}

/** One that only decides, two agents, and one who asks for runs and interferes. */
function castOf(kind: string): readonly (readonly [string, Duties])[] {
  const habits = kind === 'pauses' ? { leaseMs: LEASE_MS, asleepMs: 1300 } : STEADY;
  const operator = { runs: RUNS, cancels: [], isMoody: true };
  return [
    ['window', { agents: [], habits }],
    ['one', { agents: ['agent/one'], habits }],
    ['two', { agents: ['agent/two'], habits }],
    ['operator', { agents: [], habits, operator }],
  ];
}

function isKill(name: string): name is Kill {
  return name in KILLS;
}

function runOf([word, key = '']: readonly string[]): readonly string[] {
  return word === 'start' ? [key.split('/')[0] ?? ''] : [];
}

/** From each kill of one that decided to the next who did. */
function takeOversIn(journal: readonly (readonly string[])[]): readonly number[] {
  const times: number[] = [];
  let decider = '';
  let killedAt: number | undefined;
  for (const [word, pid = '', at = ''] of journal) {
    if (word === KILLED && pid === decider) killedAt = Number(at);
    // Nobody is there any more who could take over.
    if (word === POWER) killedAt = undefined;
    if (word !== 'began') continue;
    if (killedAt !== undefined) times.push(Number(at) - killedAt);
    [decider, killedAt] = [pid, undefined];
  }
  return times;
}
