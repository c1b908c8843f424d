import type { RunSummary, Timeline } from '../../protocol/timeline.ts';
import type { OpenBoard } from '../board/ports.ts';
import type { RunId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { RunRecord, Store } from '../engine/store-port.ts';
import { RunEntries } from './run-entries.ts';
import { summaryOf, timelineOf } from './run-timeline.ts';
import { type FileRivals, fileRivalsOf } from './waits.ts';

/** No more runs are kept than that. */
const RUNS_LIMIT = 200;
/** As many as anybody looks through. */
const LISTED_LIMIT = 50;

interface Place {
  readonly open: Pick<OpenBoard, 'store' | 'clock'>;
  readonly rules: PathRules;
  readonly folderUri: string;
}

/** One run, for whoever looks at it again and again; nothing where there is none of this id. */
export function followRun(place: Place, run: RunId): FollowedRun | undefined {
  const record = recordOf(place, run);
  return record === undefined ? undefined : new FollowedRun(place, record);
}

/** What was read of the ledger is kept: only what is new is read again. */
export class FollowedRun {
  readonly #place: Place;
  /** As it was when somebody began to look; what has happened since is in the entries. */
  readonly #record: RunRecord;
  readonly #entries: RunEntries;
  readonly #rivals: FileRivals;

  constructor(place: Place, record: RunRecord) {
    const { manifest } = record;
    this.#place = place;
    this.#record = record;
    const others = (manifest.outside ?? []).map((each) => each.run);
    this.#entries = new RunEntries(place.open.store, { run: manifest.id, others });
    this.#rivals = fileRivalsOf(manifest, place.rules);
  }

  /** Whether anything of it is kept to be shown. */
  get isKept(): boolean {
    this.#entries.read();
    return this.#entries.events.length > 0;
  }

  /** Whether something has happened since it was last read. */
  readOn(): boolean {
    return this.#entries.read();
  }

  /** As it is now. */
  timeline(): Timeline {
    const { folderUri, open } = this.#place;
    this.#entries.read();
    return timelineOf({
      folderUri,
      record: this.#record,
      events: this.#entries.events,
      rivals: this.#rivals,
      stateOf: (other, task) => open.store.statesOf(other).get(task),
      nowAt: open.clock.now(),
    });
  }
}

/** The runs of one folder that somebody may want to look at, the newest first. */
export function newestRuns(
  store: Store,
  { root, uri }: { readonly root: string; readonly uri: string },
): readonly RunSummary[] {
  return store
    .runs(RUNS_LIMIT)
    .filter(({ manifest }) => manifest.root === root)
    .slice(0, LISTED_LIMIT)
    .map((record) => summaryOf(uri, record));
}

function recordOf({ open }: Place, run: RunId): RunRecord | undefined {
  return open.store.runs(RUNS_LIMIT).find(({ manifest }) => manifest.id === run);
}
