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

/** Where the lines of a task are, and those of the defaults. */
interface TaskPlace {
  readonly by: number;
  readonly defaultRanges: ReadonlyMap<SharedKey, TextRange>;
}

/**
 * A task in its place. A key pressed above it moves it, so what it says is shared by all its places,
 * and each range is worked out when somebody asks for it.
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
  #dependsOnMentions: readonly Mention[] | undefined;
  #afterMentions: readonly Mention[] | undefined;
  #readMentions: readonly Mention[] | undefined;
  #writeMentions: readonly Mention[] | undefined;
  #inherited: readonly TextRange[] | undefined;

  constructor(whole: WholeTask, place: TaskPlace) {
    const { own } = whole;
    this.#whole = whole;
    this.#place = place;
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
    this.#dependsOnMentions ??= this.#placed(this.#whole.own.dependsOnMentions);
    return this.#dependsOnMentions;
  }

  get afterMentions(): readonly Mention[] {
    this.#afterMentions ??= this.#placed(this.#whole.own.afterMentions);
    return this.#afterMentions;
  }

  get readMentions(): readonly Mention[] {
    this.#readMentions ??= this.#placed(this.#whole.own.readMentions);
    return this.#readMentions;
  }

  get writeMentions(): readonly Mention[] {
    this.#writeMentions ??= this.#placed(this.#whole.own.writeMentions);
    return this.#writeMentions;
  }

  get inherited(): readonly TextRange[] {
    this.#inherited ??= this.#whole.taken.flatMap(
      (key) => this.#place.defaultRanges.get(key) ?? [],
    );
    return this.#inherited;
  }

  #placed(mentions: readonly Mention[]): readonly Mention[] {
    return movedMentions(mentions, this.#place.by);
  }
}
