import type { Coordinator } from './coordinator.ts';
import type { Ledger } from './ledger.ts';
import type { Machine } from './machine.ts';
import type { Physical } from './physical.ts';
import type { Taste } from './plans.ts';
import type { Shadow } from './shadow.ts';
import type { SimClock } from './sim-time.ts';
import type { World } from './world.ts';

/** The parts of one world that nearly everybody in it knows. */
export interface Surroundings {
  readonly world: World;
  readonly clock: SimClock;
  readonly ledger: Ledger;
  readonly coordinator: Coordinator;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly shadow: Shadow;
  readonly physical: Physical;
  readonly taste: Taste;
}
