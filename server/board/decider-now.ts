import { StoreError } from '../engine/store-error.ts';
import type { OpenBoard } from './ports.ts';

/** Who decides, for whoever shows it; nobody where the board's folder has been taken away. */
export function deciderNow({ decider }: Pick<OpenBoard, 'decider'>): string | undefined {
  try {
    return decider();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return undefined;
  }
}
