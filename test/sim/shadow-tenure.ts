import type { TenureOptions } from '../../server/engine/begin-tenure.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { ShadowFacts, ShadowRun } from './shadow-task.ts';
import type { Checks } from './violation.ts';

export type Tenure = Pick<TenureOptions, 'carriesOn' | 'machine'>;

const MINUTE = 60_000;
const CRASHES = 3;
/** Whoever begins looks back no further. */
const LOOK_BACK = 200;

interface Beginning {
  /** When anything was last written before it. */
  readonly lastAt: number;
  readonly at: number;
  readonly wasPaused: boolean;
  /** Runs that went on until then. */
  readonly live: readonly ShadowRun[];
}

/** What whoever begins to decide must write first, and what it must not. */
export class ShadowTenures {
  /** Since when whoever decides does so. */
  beganAt = 0;
  readonly #checks: Checks;
  readonly #facts: ShadowFacts;
  #expected: Pick<TenureOptions, 'carriesOn' | 'permission'> | undefined;
  #last = 0;
  /** When somebody began since the last sign of life, and how many entries ago. */
  #began: { readonly at: number; readonly entry: number; isForgotten: boolean }[] = [];
  #entries = 0;
  #rebasedAt = 0;
  #beginning: Beginning | undefined;

  constructor(checks: Checks, facts: ShadowFacts) {
    this.#checks = checks;
    this.#facts = facts;
  }

  expect(options: Pick<TenureOptions, 'carriesOn' | 'permission'>): void {
    this.#expected = options;
  }

  /** The store keeps no word of those who began, and the time of it. */
  forget(at: number): void {
    this.#rebasedAt = at;
    for (const each of this.#began) each.isForgotten = true;
  }

  /** Before anything else reads it. */
  read(event: BoardEvent): void {
    this.#entries += 1;
    if (event.kind === 'tenureBegan') this.#begin(event);
    if (isSign(event)) this.#began = [];
  }

  /** What was written together with the beginning is all there is to say of it. */
  check(entries: { readonly hasPaused: boolean }): void {
    const beginning = this.#beginning;
    if (beginning === undefined) return;
    this.#beginning = undefined;
    this.#checkPause(beginning, entries.hasPaused);
    this.#checkRuns(beginning);
    this.#began.push({ at: beginning.at, entry: this.#entries, isForgotten: false });
  }

  #begin({
    at,
    tenure,
    permission,
    isTakeover,
  }: Extract<BoardEvent, { kind: 'tenureBegan' }>): void {
    this.beganAt = at;
    // The one before is frozen, and has not crashed.
    if (isTakeover === true) this.#began.pop();
    const isNew = tenure > this.#last;
    this.#checks.holds('I3', isNew, () => `tenure ${tenure} comes after ${this.#last}`);
    this.#last = tenure;
    const isRight = permission === this.#expected?.permission;
    this.#checks.holds('I22', isRight, () => `it begins as ${permission}`);
    const { lastAt, isBoardPaused: wasPaused, runs } = this.#facts;
    const live = [...runs.values()].filter(({ isInterrupted }) => !isInterrupted);
    this.#beginning = { lastAt, at, wasPaused, live };
  }

  #checkPause({ at, wasPaused }: Beginning, hasPaused: boolean): void {
    const recent = this.#began.filter((each) => at - each.at <= MINUTE);
    const isLoop = recent.length >= CRASHES && !wasPaused;
    this.#checks.holds('loop', isLoop || !hasPaused, () => `after ${recent.length} crashes`);
    const seen = recent.filter(
      ({ entry, isForgotten }) => !isForgotten && this.#entries - entry < LOOK_BACK - 20,
    );
    const mustPause = seen.length >= CRASHES && !wasPaused;
    this.#checks.holds('loop', hasPaused || !mustPause, () => `${seen.length} crashes, no pause`);
  }

  /** Only what was asked for a moment ago, or is attended to, goes on without being asked for. */
  #checkRuns({ at, lastAt, live }: Beginning): void {
    const carriesOn = this.#expected?.carriesOn;
    const isRecent = at - lastAt < MINUTE;
    if (carriesOn === 'recent' && !isRecent && at - this.#rebasedAt < MINUTE) return;
    for (const run of live) {
      const goesOn =
        carriesOn === 'all' || (carriesOn === 'recent' && (isRecent || this.#isAttended(run, at)));
      const isRight = run.isInterrupted === !goesOn;
      const { id } = run.manifest;
      this.#checks.holds('carried-on', isRight, () => `${id}: interrupted ${run.isInterrupted}`);
    }
  }

  #isAttended(run: ShadowRun, at: number): boolean {
    return [...run.tasks.values()].some(
      ({ holder }) =>
        holder !== undefined &&
        !holder.worker.startsWith('runner/') &&
        (holder.expiresAt === undefined || holder.expiresAt > at),
    );
  }
}

function isSign(event: BoardEvent): boolean {
  if (event.kind === 'taskMoved')
    return event.event.kind === 'taskCompleted' || event.event.kind === 'taskFailed';
  if (event.kind === 'boardResumed') return true;
  return event.kind === 'permissionChanged' && event.permission === 'shutting-down';
}
