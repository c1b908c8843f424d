import { StoreError } from '../engine/store-error.ts';
import type { Keeper } from '../keeper/keeper.ts';
import type { OpenBoard } from './ports.ts';

interface Asked extends Pick<OpenBoard, 'decider'> {
  readonly keeper: Pick<Keeper, 'name' | 'isDeciding' | 'followed'>;
}

/**
 * Who decides, for whoever shows it at each news. The lock is looked at only where that may be somebody
 * else than before: for the moment of a look nobody else can have it.
 */
export class DeciderNow {
  readonly #followed = new WeakMap<object, string>();

  /** Nobody where the board's folder has been taken away. */
  of({ keeper, decider }: Asked): string | undefined {
    const { isDeciding, name, followed } = keeper;
    if (isDeciding) return name;
    const known = followed && this.#followed.get(followed);
    if (known !== undefined) return known;
    const found = holderNow(decider);
    if (followed !== undefined && found !== undefined) this.#followed.set(followed, found);
    return found;
  }
}

function holderNow(decider: OpenBoard['decider']): string | undefined {
  try {
    return decider();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return undefined;
  }
}
