import { expect, test } from 'vitest';
import type { RunId } from '../../server/domain/ids.ts';
import type { Instant } from '../../server/domain/time.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { decide } from '../../server/scheduler/decide.ts';
import { boardEventOf, type Decision } from '../../server/scheduler/decisions/decision.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import { decisionsText } from './decision-text.ts';
import { AT, boardOf, taskId } from './snapshots.ts';
import { type Stage, STEPS } from './story-steps.ts';

/**
 * Plays what happens to a board, one step a line, and says behind an arrow what is decided after it:
 *
 *     begin → claim a
 *     a fails 1 → skip b because a
 *     wait 5s
 *     why b → …
 *
 * The steps are those of `STEPS`. What is committed is decided again until nothing is left to do.
 */
function playStory(text: string, steps: readonly string[]): string {
  const story = new Story(text);
  return steps
    .map((step) => {
      const said = story.play(step);
      return said === '' ? step : `${step} → ${said}`;
    })
    .join('\n');
}

/** The story is steps with what is to be decided behind the arrow, indented as it pleases. */
export function checkStory(name: string, text: string, story: string): void {
  test(name, () => {
    const told = story
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const steps = told.map((line) => line.split(' → ')[0] ?? line);
    expect(playStory(text, steps)).toBe(told.join('\n'));
  });
}

/** More than any board of a test needs to come to rest. */
const TURN_LIMIT = 30;

export class Story implements Stage {
  readonly board: BoardModel;
  now: Instant = AT;
  /** Every decision that was made, in order. */
  readonly decided: Decision[] = [];
  /** Is told what is decided, before it is committed. */
  watch: (decisions: readonly Decision[]) => void = () => undefined;
  #lastTerm = 1000;

  constructor(text: string) {
    this.board = boardOf(text);
  }

  /** What is answered and decided, in words. */
  play(step: string): string {
    for (const [pattern, act] of STEPS) {
      const [, ...words] = pattern.exec(step) ?? [undefined];
      if (pattern.test(step)) {
        const answer = act(this, words);
        return [answer, this.settle()].filter((part) => part !== '').join('; ');
      }
    }
    throw new Error(`"${step}" is no step of a story.`);
  }

  settle(): string {
    const said: string[] = [];
    for (let turns = 0; turns < TURN_LIMIT; turns += 1) {
      const decisions = decide(this.board, this.now);
      this.watch(decisions);
      if (decisions.length === 0) return said.filter((part) => part !== '').join(', ');
      said.push(
        decisionsText(
          decisions.filter(({ kind }) => kind !== 'cycle'),
          this.board,
        ),
      );
      for (const decision of decisions) this.commit(decision);
    }
    throw new Error(`The board does not come to rest: ${said.join(', ')}`);
  }

  commit(decision: Decision): void {
    this.decided.push(decision);
    const state =
      'task' in decision ? this.board.find(decision.run, decision.task)?.state : undefined;
    const mintTerm = (): number => (this.#lastTerm += 1);
    const event = boardEventOf(decision, state, { now: this.now, mintTerm });
    if (event !== undefined) this.board.apply(event);
  }

  /** `a`, or `the-run/a` where several runs have one. */
  find(name: string): TaskEntry | undefined {
    const [id = '', of] = name.split('/').toReversed();
    for (const run of this.board.runs.values()) {
      const entry = run.find(taskId(id));
      if (entry !== undefined && (of === undefined || of === run.manifest.id)) return entry;
    }
    return undefined;
  }

  task(name: string): TaskEntry {
    const entry = this.find(name);
    if (entry === undefined) throw new Error(`No run has a task "${name}".`);
    return entry;
  }

  run(name: string): RunId {
    const run = [...this.board.runs.keys()].find((id) => id === name);
    if (run === undefined) throw new Error(`There is no run "${name}".`);
    return run;
  }
}
