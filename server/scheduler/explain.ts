import { unreachable } from '../domain/assert.ts';
import type { Reason } from './may-start.ts';

/** One clause for each reason, fit for a row of the tree: `waits for schema`. */
export function explain(reason: Reason): string {
  switch (reason.kind) {
    case 'untrusted':
      return 'waits until this folder is trusted';
    case 'paused':
      return explainPause(reason.because);
    case 'dependencies':
      return `waits for ${reason.waitsFor.join(', ')}`;
    case 'hazard': {
      const what = reason.example === undefined ? 'files that may be the same' : reason.example;
      return `waits for ${reason.holder}, which writes ${what} too`;
    }
    case 'parallel':
      return `waits for a free place (${reason.limit} run at once)`;
    default:
      return unreachable(reason);
  }
}

function explainPause(because: 'shutting-down' | 'stop-requested' | 'failure'): string {
  switch (because) {
    case 'shutting-down':
      return 'waits: Interlock is shutting down';
    case 'stop-requested':
      return 'waits: the run is being stopped';
    case 'failure':
      return 'waits: the run ends at its first failure';
    default:
      return unreachable(because);
  }
}
