import type { OpenBoard } from '../board/ports.ts';
import type { RunModel, TaskEntry } from '../scheduler/model/run-model.ts';
import { isAtRest, isHeldByPause, runsBefore } from '../scheduler/decisions/finish-runs.ts';
import { isFinal } from '../domain/task.ts';
import { explainAttention } from '../scheduler/predicate/explain.ts';
import type { RunProgress } from './run-progress.ts';

/** Whoever has just decided something may decide more. */
const SETTLED_MS = 200;
/** More than that nobody reads. */
const SHOWN_LIMIT = 20;

const PAUSED = 'paused';
type Wanting = TaskEntry | RunModel | typeof PAUSED;

interface Parts {
  readonly open: OpenBoard;
  readonly progress: RunProgress;
  /** Somebody is there who is told once, and waited for. */
  readonly isAttended: boolean;
  /** A program reads one document at the end: it is not left waiting for a pause that has no end. */
  readonly isJson: boolean;
  /** Nobody is. */
  readonly onStill: () => void;
}

/** Sees when nothing of the runs that a command waits for goes on before a person has decided. */
export class Standstill implements Disposable {
  readonly #parts: Parts;
  #due: Disposable | undefined;
  #hasSaid = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Something has happened. */
  look(): void {
    const isStill = this.#wanting().length > 0;
    if (!isStill) {
      this[Symbol.dispose]();
      this.#hasSaid = false;
    } else if (!this.#hasSaid)
      this.#due ??= this.#parts.open.alarm.after(SETTLED_MS, () => this.#tell());
  }

  /** Who has to do what, and how it goes on then. */
  get lines(): readonly string[] {
    const { isAttended, progress } = this.#parts;
    const all = this.#wanting();
    const lines = all.slice(0, SHOWN_LIMIT).map((each) => {
      if (each === PAUSED) return '  everything is paused: interlock resume';
      if ('manifest' in each) {
        const { plan } = each.manifest;
        return `  ${plan} is waited for, and was interrupted: interlock run --plan ${plan}`;
      }
      const { state, run, id } = each;
      const why = state.kind === 'attention' ? state.why : 'asked';
      const name = progress.nameOf(run, id);
      if (each.isPaused) return `  ${name} is paused: interlock resume ${name}`;
      const remedy = why === 'asked' ? 'answer' : 'retry';
      return `  ${name} needs you (${explainAttention(why)}): interlock ${remedy} ${name}`;
    });
    const left = all.length - SHOWN_LIMIT;
    if (left > 0) lines.push(`  and ${left} more: interlock status`);
    const after = isAttended
      ? 'Say so in another terminal, and it goes on here.'
      : 'The run stays as it is: after that, "interlock run" goes on with it.';
    return ['Nothing goes on until somebody decides:', ...lines, after];
  }

  [Symbol.dispose](): void {
    this.#due?.[Symbol.dispose]();
    this.#due = undefined;
  }

  #tell(): void {
    const { isAttended, progress, onStill } = this.#parts;
    this.#due = undefined;
    if (this.#wanting().length === 0) return;
    this.#hasSaid = true;
    if (isAttended) progress.say(...this.lines);
    else onStill();
  }

  /**
   * Tasks that wait for a person, runs that nobody carries on, and what is paused. Nothing while something
   * else happens.
   */
  #wanting(): readonly Wanting[] {
    const { open, progress, isJson } = this.#parts;
    const { board } = open.keeper;
    const wanting = new Set<Wanting>();
    for (const { id } of progress.watch.runs) {
      const run = board.runs.get(id);
      if (run === undefined) continue;
      if (isJson && !run.isStopping && isHeldByPause(board, run)) {
        const paused = [...run.paused].filter(({ state }) => !isFinal(state));
        const held: readonly Wanting[] = board.isPaused ? [PAUSED] : paused;
        for (const each of held) wanting.add(each);
        continue;
      }
      if (run.isStopping || !isAtRest(board, run)) return [];
      for (const each of [run, ...runsBefore(board, run)]) {
        for (const entry of each.attention) wanting.add(entry);
        if (each !== run && each.isInterrupted) wanting.add(each);
      }
    }
    return [...wanting];
  }
}
