import type { SpanEnd, TimelineMark } from '../../protocol/timeline.ts';
import { explainLoss, failureText } from '../board/end-text.ts';
import { displayText } from '../domain/display-text.ts';
import { NEW_TASK, type TaskEvent, type TaskState, transition } from '../domain/task.ts';
import { explainAttention } from '../scheduler/predicate/explain.ts';
import { ENDLESS, type Interval } from './intervals.ts';

/** Somebody had it. */
export interface Held extends Interval {
  readonly kind: 'claimed' | 'running';
  readonly worker: string;
  readonly attempt: number;
  readonly end?: SpanEnd;
  readonly detail: string;
}

/** A person had to look at it, and nobody had it. */
export interface Looked extends Interval {
  readonly detail: string;
}

/**
 * What became of one task of a run, as stretches of time. The last stretch of what goes on has no end.
 */
export class TaskPast {
  readonly pending: Interval[] = [];
  readonly backoff: Interval[] = [];
  readonly paused: Interval[] = [];
  readonly held: Held[] = [];
  readonly looked: Looked[] = [];
  readonly completed: Interval[] = [];
  /** Whatever the outcome. */
  readonly over: Interval[] = [];
  readonly marks: TimelineMark[] = [];
  #state: TaskState = NEW_TASK;

  constructor(since: number) {
    this.pending.push({ from: since, to: ENDLESS });
  }

  /** The ledger has no event that does not fit; what a damaged one has besides changes nothing. */
  follow(event: TaskEvent): void {
    const before = this.#state;
    const moved = transition(before, event);
    if (moved.kind === 'refused') return;
    this.#state = moved.state;
    this.#mark(event);
    if (isSameStretch(before, moved.state) && event.kind !== 'taskRetried') return;
    this.#leave(before, event);
    this.#enter(moved.state, event);
  }

  pause(at: number): void {
    this.paused.push({ from: at, to: ENDLESS });
    this.marks.push({ at, kind: 'pause', detail: '' });
  }

  resume(at: number): void {
    end(this.paused, at);
    this.marks.push({ at, kind: 'resume', detail: '' });
  }

  #mark(event: TaskEvent): void {
    const { at } = event;
    if (event.kind === 'stopAsked') this.marks.push({ at, kind: 'stop-asked', detail: event.why });
    if (event.kind === 'taskStuck')
      this.marks.push({ at, kind: 'asked', detail: explainAttention('stuck') });
    if (event.kind === 'taskCancelled') this.marks.push({ at, kind: 'cancelled', detail: '' });
    if (event.kind === 'taskRetried') this.marks.push({ at, kind: 'retried', detail: '' });
    if (event.kind === 'taskSkipped') {
      const detail = `because ${event.because} did not complete`;
      this.marks.push({ at, kind: 'skipped', detail: displayText(detail) });
    }
  }

  #leave(state: TaskState, event: TaskEvent): void {
    const { at } = event;
    end(this.pending, at);
    end(this.backoff, at);
    end(this.looked, at);
    end(this.completed, at);
    end(this.over, at);
    const last = this.held.at(-1);
    if (last?.to !== ENDLESS) return;
    const isStart = event.kind === 'taskStarted';
    const ended = isStart || !isHeld(state) ? { detail: '' } : endOf(event);
    this.held[this.held.length - 1] = { ...last, to: at, ...ended };
  }

  #enter(state: TaskState, { at }: TaskEvent): void {
    const open = { from: at, to: ENDLESS };
    switch (state.kind) {
      case 'pending':
        this.pending.push(open);
        if (state.notBefore !== undefined && state.notBefore > at)
          this.backoff.push({ from: at, to: state.notBefore });
        return;
      case 'claimed':
      case 'running': {
        const { kind, worker, tries } = state;
        this.held.push({ ...open, kind, worker, attempt: tries.attempts, detail: '' });
        return;
      }
      case 'attention':
        this.looked.push({ ...open, detail: explainAttention(state.why) });
        return;
      case 'completed':
        this.completed.push(open);
        this.over.push(open);
        return;
      case 'failed':
      case 'cancelled':
      case 'skipped':
        this.over.push(open);
        return;
      default:
        state satisfies never;
    }
  }
}

function isSameStretch(a: TaskState, b: TaskState): boolean {
  return stretchOf(a) === stretchOf(b);
}

/** A task that is flagged while it runs, runs. */
function stretchOf(state: TaskState): string {
  return state.kind === 'attention' && state.holder !== undefined ? 'running' : state.kind;
}

function isHeld(state: TaskState): boolean {
  return ['claimed', 'running'].includes(stretchOf(state));
}

function endOf(event: TaskEvent): { readonly end: SpanEnd; readonly detail: string } {
  switch (event.kind) {
    case 'taskCompleted':
      return { end: 'completed', detail: '' };
    case 'taskFailed':
      return { end: 'failed', detail: displayText(failureText(event.failure)) };
    case 'taskLost':
      return { end: 'lost', detail: explainLoss(event.cause) };
    case 'taskCancelled':
      return { end: 'cancelled', detail: '' };
    case 'taskReleased':
      return { end: 'released', detail: event.reason };
    case 'taskAsked':
      return { end: 'released', detail: explainAttention('asked') };
    default:
      return { end: 'released', detail: '' };
  }
}

/** Ends what goes on, and what would have gone on for longer. */
function end(intervals: Interval[], at: number): void {
  const last = intervals.at(-1);
  if (last !== undefined && last.to > at) intervals[intervals.length - 1] = { ...last, to: at };
}
