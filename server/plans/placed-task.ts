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

/**
 * A task in its place. A key pressed above it moves it, so what it says is shared by all its places,
 * and the places in it are worked out when somebody asks for one.
 */
export class PlacedTask implements PlanTask {
  readonly id: TaskId;
  readonly title: string;
  readonly command: Command | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dependsOn: readonly TaskId[];
  readonly after: readonly TaskId[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly asks: Partial<TaskAsks>;
  readonly #whole: WholeTask;
  readonly #place: TaskPlace;
  #idRange: TextRange | undefined;
  #range: TextRange | undefined;
  #mentions: Mentions | undefined;
  #inherited: readonly TextRange[] | undefined;

  constructor(whole: WholeTask, place: TaskPlace) {
    const { own } = whole;
    this.id = own.id;
    this.title = own.title;
    this.command = own.command;
    this.cwd = whole.cwd;
    this.env = whole.env;
    this.dependsOn = own.dependsOn;
    this.after = own.after;
    this.reads = own.reads;
    this.writes = own.writes;
    this.asks = whole.asks;
    this.#whole = whole;
    this.#place = place;
  }

  get idRange(): TextRange {
    this.#idRange ??= movedRange(this.#whole.own.idRange, this.#place.by);
    return this.#idRange;
  }

  get range(): TextRange {
    this.#range ??= movedRange(this.#whole.own.range, this.#place.by);
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
    const { defaultRanges } = this.#place;
    this.#inherited ??= this.#whole.taken.flatMap((key) => defaultRanges.get(key) ?? []);
    return this.#inherited;
  }

  get #placedMentions(): Mentions {
    this.#mentions ??= placedMentions(this.#whole.own, this.#place.by);
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
