import { type Defaults, NO_DEFAULTS } from './defaults.ts';
import { PlacedTask, type TaskPlace, wholeTask, type WholeTask } from './placed-task.ts';
import { movedRange } from './places.ts';
import type { TextRange } from './plan.ts';
import type { Part } from './read-part.ts';
import type { SharedKey } from './schema/shared.ts';

/** The defaults in their place; another object whenever they, or their place, are other ones. */
export interface PlacedDefaults {
  readonly defaults: Defaults;
  readonly by: number;
  readonly ranges: ReadonlyMap<SharedKey, TextRange>;
}

export const NO_PLACED_DEFAULTS: PlacedDefaults = {
  defaults: NO_DEFAULTS,
  by: 0,
  ranges: new Map(),
};

export function placeDefaults(defaults: Defaults, by: number): PlacedDefaults {
  const moved = [...defaults.ranges].map(([key, range]) => [key, movedRange(range, by)] as const);
  return { defaults, by, ranges: new Map(moved) };
}

/**
 * A part, and what was made of its tasks last: as long as neither they nor the defaults change, nor
 * move, they are the same objects.
 */
export class PartTasks {
  readonly part: Part;
  #wholes: readonly WholeTask[] = [];
  #defaults: Defaults | undefined;
  #place: TaskPlace | undefined;
  #tasks: readonly PlacedTask[] = [];

  constructor(part: Part) {
    this.part = part;
  }

  at(by: number, { defaults, ranges }: PlacedDefaults): readonly PlacedTask[] {
    if (this.#place?.by === by && this.#place.defaultRanges === ranges) return this.#tasks;
    if (this.#defaults !== defaults) {
      this.#defaults = defaults;
      this.#wholes = this.part.entries.flatMap(({ says }) =>
        says.kind === 'task' && says.task !== undefined ? wholeTask(says.task, defaults) : [],
      );
    }
    const place = { by, defaultRanges: ranges };
    this.#place = place;
    this.#tasks = this.#wholes.map((whole) => new PlacedTask(whole, place));
    return this.#tasks;
  }
}
