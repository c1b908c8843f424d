import { randomBytes, randomUUID } from 'node:crypto';
import { assert } from '../domain/assert.ts';
import { parseRunId, type RunId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { Ids } from '../engine/ports.ts';

/** Run ids sort by time, and two of the same millisecond differ in 40 random bits. */
export class RandomIds implements Ids {
  runId(now: Instant): RunId {
    const id = parseRunId(`${now.toString(36).padStart(9, '0')}-${randomBytes(5).toString('hex')}`);
    assert(id !== undefined, 'a fresh run id is a run id');
    return id;
  }

  operation(): string {
    return randomUUID();
  }
}
