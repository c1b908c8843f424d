import type { TaskAsks } from '../domain/asks.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Command } from '../domain/task.ts';
import { asksOf, type Defaults, withDefaults } from './defaults.ts';
import type { Amount } from './limits.ts';
import type { OwnTask } from './own-task.ts';
import { movedMentions, movedRange } from './places.ts';
import type { Mention, PlanTask, TextRange } from './plan.ts';
import type { SharedKey } from './schema/shared.ts';

/** A task as its own lines and the defaults make it, wherever in the text those lines are. */
export interface WholeTask {
  readonly own: OwnTask;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly asks: Partial<TaskAsks>;
  /** Which of the defaults it takes. */
  readonly taken: readonly SharedKey[];
  /** What it takes of the limits, some of it by the defaults. */
  readonly requests: readonly Amount[];
}

export function wholeTask(own: OwnTask, defaults: Defaults): WholeTask {
  const { fields, taken } = withDefaults(own, defaults);
  return {
    own,
    cwd: fields.cwd ?? '',
    env: fields.env ?? {},
    asks: asksOf(fields, own.doer),
    taken,
    requests: fields.resources ?? [],
  };
}

/** A task of a text that is never moved. */
export function plainTask({ own, cwd, env, asks }: WholeTask): PlanTask {
  return {
    id: own.id,
    title: own.title,
    ...(own.description !== undefined && { description: own.description }),
    command: own.command,
    cwd,
    env,
    dependsOn: own.dependsOn,
    after: own.after,
    reads: own.reads,
    writes: own.writes,
    asks,
    idRange: own.idRange,
    range: own.range,
    dependsOnMentions: own.dependsOnMentions,
    afterMentions: own.afterMentions,
    readMentions: own.readMentions,
    writeMentions: own.writeMentions,
    ...(own.fields.hosts && { hostMentions: own.fields.hosts }),
    inherited: [],
  };
}

/** Where the lines of a task are, and those of the defaults. */
export interface TaskPlace {
  readonly by: number;
  readonly defaultRanges: ReadonlyMap<SharedKey, TextRange>;
}

type Mentions = Pick<
  PlanTask,
  'dependsOnMentions' | 'afterMentions' | 'readMentions' | 'writeMentions'
>;

const NONE: readonly TextRange[] = [];

/**
 * A task in its place. A key pressed above it moves it, so it is little more than that place: what it
 * says is shared by all its places, and the places in it are worked out when somebody asks for one.
 */
export class PlacedTask implements PlanTask {
  readonly #whole: WholeTask;
  readonly #by: number;
  readonly #defaultRanges: ReadonlyMap<SharedKey, TextRange>;
  #idRange: TextRange | undefined;
  #range: TextRange | undefined;
  #mentions: Mentions | undefined;
  #inherited: readonly TextRange[] | undefined;

  constructor(whole: WholeTask, { by, defaultRanges }: TaskPlace) {
    this.#whole = whole;
    this.#by = by;
    this.#defaultRanges = defaultRanges;
  }

  get id(): TaskId {
    return this.#whole.own.id;
  }

  get title(): string {
    return this.#whole.own.title;
  }

  get description(): string | undefined {
    return this.#whole.own.description;
  }

  get command(): Command | undefined {
    return this.#whole.own.command;
  }

  get cwd(): string {
    return this.#whole.cwd;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#whole.env;
  }

  get dependsOn(): readonly TaskId[] {
    return this.#whole.own.dependsOn;
  }

  get after(): readonly TaskId[] {
    return this.#whole.own.after;
  }

  get reads(): readonly string[] {
    return this.#whole.own.reads;
  }

  get writes(): readonly string[] {
    return this.#whole.own.writes;
  }

  get asks(): Partial<TaskAsks> {
    return this.#whole.asks;
  }

  get said(): WholeTask {
    return this.#whole;
  }

  /** How much further down in the text its places are than in what it says. */
  get by(): number {
    return this.#by;
  }

  get idRange(): TextRange {
    this.#idRange ??= movedRange(this.#whole.own.idRange, this.#by);
    return this.#idRange;
  }

  get range(): TextRange {
    this.#range ??= movedRange(this.#whole.own.range, this.#by);
    return this.#range;
  }

  get dependsOnMentions(): readonly Mention[] {
    return this.#placedMentions.dependsOnMentions;
  }

  get afterMentions(): readonly Mention[] {
    return this.#placedMentions.afterMentions;
  }

  get readMentions(): readonly Mention[] {
    return this.#placedMentions.readMentions;
  }

  get writeMentions(): readonly Mention[] {
    return this.#placedMentions.writeMentions;
  }

  get inherited(): readonly TextRange[] {
    const { taken } = this.#whole;
    if (taken.length === 0) return NONE;
    this.#inherited ??= taken.flatMap((key) => this.#defaultRanges.get(key) ?? []);
    return this.#inherited;
  }

  get #placedMentions(): Mentions {
    this.#mentions ??= placedMentions(this.#whole.own, this.#by);
    return this.#mentions;
  }
}

function placedMentions(own: OwnTask, by: number): Mentions {
  return {
    dependsOnMentions: movedMentions(own.dependsOnMentions, by),
    afterMentions: movedMentions(own.afterMentions, by),
    readMentions: movedMentions(own.readMentions, by),
    writeMentions: movedMentions(own.writeMentions, by),
  };
}
