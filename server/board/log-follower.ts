import { displayText } from '../domain/display-text.ts';
import { LogText } from '../domain/log-text.ts';
import { isFinal, type TaskState } from '../domain/task.ts';
import { laterAttempt, type NamedTask, newestAttempt } from './attempts.ts';
import type { Board } from './board.ts';
import { OutputPace } from './output-pace.ts';
import {
  followAttempt,
  followTask,
  type LogPart,
  stateOf,
  type TriedAttempt,
} from './follow-task.ts';
import { Poke } from './poke.ts';
import { exitCodeOf } from './task-end.ts';
import { statusOf } from './task-status.ts';

/** As much is sent at once. */
const PIECE_LENGTH = 256 * 1024;

interface LogPiece {
  readonly attempt: TriedAttempt;
  readonly text: string;
  /** There was no more when this was sent. */
  readonly isNewest: boolean;
}

export interface TaskEnd {
  readonly attempt: TriedAttempt;
  readonly state: string;
  readonly detail: string;
  readonly exitCode: number;
  readonly isLast: boolean;
}

interface LogListener {
  /** Answers when it was taken; nothing more of this task comes before. */
  output(piece: LogPiece): Promise<void>;
  ended(end: TaskEnd): void;
}

/** Somebody who looks at what tasks print, until they have seen enough. */
export class LogFollower {
  readonly #board: Board;
  readonly #listener: LogListener;
  readonly #pokes = new Set<Poke>();
  readonly #pace = new OutputPace();
  #isClosed = false;

  constructor(board: Board, listener: LogListener) {
    this.#board = board;
    this.#listener = listener;
  }

  /** Something has happened on the board. */
  look(): void {
    for (const poke of this.#pokes) poke.now();
  }

  close(): void {
    this.#isClosed = true;
    this.look();
  }

  /** The newest attempt at a task and all that come later, of whichever run. */
  async followOn(named: NamedTask): Promise<void> {
    const poke = this.#newPoke();
    let last: TriedAttempt | undefined;
    let at = newestAttempt(this.#board, named);
    while (!this.#isClosed) {
      if (at === undefined) {
        await poke.next();
      } else {
        const first = at;
        // Its own run may be one that nobody carries on.
        const isLeft = (): boolean => {
          const later = laterAttempt(this.#board, named, first);
          return later !== undefined && later.run !== first.run;
        };
        const end = await this.#follow(first, { poke, isLeft });
        if (end !== undefined) this.#listener.ended({ ...end, isLast: false });
        last = end?.attempt ?? at;
      }
      at = laterAttempt(this.#board, named, last);
    }
  }

  /** One attempt until it is over. */
  async followOnly(attempt: TriedAttempt): Promise<void> {
    const open = this.#board.opened;
    if (open === undefined) return;
    const output = new AttemptOutput(async (piece) => this.#send(piece), attempt);
    for await (const part of followAttempt(open, attempt, this.#newPoke())) {
      if (this.#isClosed) return;
      await output.take(part);
    }
    await output.end();
    this.#listener.ended({ ...endOf(attempt, undefined), isLast: true });
  }

  /**
   * Tasks of runs until one of them, which somebody has asked for, has ended. Each log is read at its own
   * speed: what the needed tasks have printed until then, and how they ended, is told before that.
   */
  async followUntil(asked: TriedAttempt, needed: readonly TriedAttempt[]): Promise<void> {
    let hasAskedEnded = false;
    const follow = async (task: TriedAttempt): Promise<Omit<TaskEnd, 'isLast'> | undefined> => {
      const poke = this.#newPoke();
      const isLeft = (): boolean => this.#isClosed || (hasAskedEnded && !isOver(this.#board, task));
      const end = await this.#follow(task, { poke, isLeft });
      this.#pokes.delete(poke);
      return end;
    };
    const others = needed.map(async (task) => {
      const end = await follow(task);
      if (end !== undefined) this.#listener.ended({ ...end, isLast: false });
    });
    const followAsked = async (): Promise<Omit<TaskEnd, 'isLast'> | undefined> => {
      const end = await follow(asked);
      hasAskedEnded = true;
      this.look();
      return end;
    };
    const [end] = await Promise.all([followAsked(), ...others]);
    if (end !== undefined) this.#listener.ended({ ...end, isLast: true });
    this.close();
  }

  async #send(piece: LogPiece): Promise<void> {
    await this.#listener.output(piece);
    const open = this.#board.opened;
    const delayMs = open && this.#pace.delayAfter(piece.text.length, open.clock.now());
    if (open !== undefined && delayMs !== undefined && delayMs > 0)
      await new Promise<void>((resolve) => {
        open.alarm.after(delayMs, resolve);
      });
  }

  #newPoke(): Poke {
    const poke = new Poke();
    this.#pokes.add(poke);
    return poke;
  }

  /** Answers nothing when whoever looked has gone, or there is something else to be followed. */
  async #follow(
    first: TriedAttempt,
    { poke, isLeft }: { readonly poke: Poke; readonly isLeft: () => boolean },
  ): Promise<Omit<TaskEnd, 'isLast'> | undefined> {
    const open = this.#board.opened;
    if (open === undefined) return undefined;
    let output: AttemptOutput | undefined;
    for await (const part of followTask(open, first, poke)) {
      if (this.#isClosed) return undefined;
      if (part.kind === 'attempt') {
        await output?.end();
        output = new AttemptOutput(async (piece) => this.#send(piece), part.attempt);
      } else if (part.kind === 'ended') {
        await output?.end();
        const revision = part.state?.tries.revision ?? first.revision;
        return endOf({ ...first, revision }, part.state);
      } else {
        await output?.take(part);
        if (part.kind === 'pause' && isLeft()) return undefined;
      }
    }
    return undefined;
  }
}

/** What is sent of one attempt: pieces of a good size, and at once what is new. */
class AttemptOutput {
  readonly #deliver: LogListener['output'];
  readonly #attempt: TriedAttempt;
  readonly #shown = new LogText({ isOverwriting: true });
  #text = '';
  #isToldNewest = false;

  constructor(deliver: LogListener['output'], attempt: TriedAttempt) {
    this.#deliver = deliver;
    this.#attempt = attempt;
  }

  async take(part: LogPart): Promise<void> {
    if (part.kind === 'bytes') this.#text += this.#shown.take(part.bytes);
    const isDue =
      part.kind === 'pause'
        ? this.#text !== '' || !this.#isToldNewest
        : this.#text.length >= PIECE_LENGTH;
    if (isDue) await this.#send(part.kind === 'pause');
  }

  async end(): Promise<void> {
    this.#text += this.#shown.end();
    if (this.#text !== '') await this.#send(true);
  }

  async #send(isNewest: boolean): Promise<void> {
    const text = this.#text;
    this.#text = '';
    this.#isToldNewest = isNewest;
    await this.#deliver({ attempt: this.#attempt, text, isNewest });
  }
}

/** Nothing more comes of it than what it has printed. */
function isOver(board: Board, task: TriedAttempt): boolean {
  const state = board.opened && stateOf(board.opened, task);
  return state === undefined || isFinal(state);
}

function endOf(attempt: TriedAttempt, state: TaskState | undefined): Omit<TaskEnd, 'isLast'> {
  const { run, task } = attempt;
  const record = state && { run, plan: '', task, state, runStatus: 'finished' as const };
  const { kind, detail } = statusOf(record, undefined, undefined);
  return { attempt, state: kind, detail: displayText(detail), exitCode: exitCodeOf(state) };
}
