import { areEqual } from '../domain/equal-lists.ts';
import { askedHosts } from '../scheduler/model/asked-hosts.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import { LOCAL } from '../scheduler/model/workers.ts';
import type { BoardWriter } from './board-writer.ts';
import type { Tell } from './commands.ts';
import type { Runner, SeenPlace } from './ports.ts';

interface Parts {
  readonly writer: BoardWriter;
  readonly runner: Runner;
  readonly tell: Tell;
  /** One can be reached again, or is none of the hosts: what is there can be looked at, or is given up. */
  readonly onNews: () => void;
}

/**
 * The part of the engine that has to do with hosts: what their runner says of them goes to the ledger,
 * where it is news, and it hears which of them the board asks for.
 */
export class Hosts {
  readonly #parts: Parts;
  /** What was told of each; nothing where it is told to be gone. */
  readonly #told = new Map<string, SeenPlace | undefined>();
  #wanted: readonly string[] | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get #board(): BoardModel {
    return this.#parts.writer.board;
  }

  /** Whoever decides from now on says first which hosts it asks for, and is told which there are. */
  begin(): void {
    this.#want(askedHosts(this.#board));
  }

  /** Hosts that nobody has spoken of are none of the user's any more. */
  forgetOthers(): void {
    const { writer } = this.#parts;
    const at = writer.now();
    const others = [...this.#board.workers.places.keys()].filter(
      (name) => name !== LOCAL && !this.#told.has(name),
    );
    if (others.length > 0)
      writer.record(others.map((place) => ({ kind: 'placeGone', at, place }) as const));
  }

  seen(place: SeenPlace): void {
    const before = this.#told.get(place.name);
    const now = { ...place, ...steadyLoad(before?.load, place.load) };
    if (before !== undefined && isSame(before, now)) return;
    this.#told.set(place.name, now);
    this.#parts.tell(() => this.#recordSeen(now), before?.isReachable !== now.isReachable);
  }

  gone(name: string): void {
    this.#told.set(name, undefined);
    const { writer, tell, onNews } = this.#parts;
    tell(() => {
      if (this.#board.workers.places.has(name) && name !== LOCAL)
        writer.record([{ kind: 'placeGone', at: writer.now(), place: name }]);
      return onNews;
    }, true);
  }

  /** The runner hears which hosts are asked for when those are others than before. */
  tellWanted(): void {
    // As long as there are no hosts there is none to ask for.
    if (this.#board.workers.places.size > 1 || (this.#wanted?.length ?? 0) > 0)
      this.#want(askedHosts(this.#board));
  }

  #want(asked: readonly string[]): void {
    if (this.#wanted !== undefined && areEqual(this.#wanted, asked)) return;
    this.#wanted = asked;
    this.#parts.runner.wanted?.(asked);
  }

  #recordSeen(place: SeenPlace): (() => void) | undefined {
    const { writer, onNews } = this.#parts;
    const known = this.#board.workers.places.get(place.name);
    if (known !== undefined && isSame(known, place)) return undefined;
    writer.record([{ kind: 'placeSeen', at: writer.now(), place }]);
    return place.isReachable && known?.isReachable !== true ? onNews : undefined;
  }
}

/** A load within that of the one that was written down is not worth writing down. */
const SAME_LOAD = 0.5;

/** The load of a machine changes all the time: what was said of it stays until it is far off. */
function steadyLoad(before: number | undefined, load: number | undefined): Pick<SeenPlace, 'load'> {
  if (load === undefined || !Number.isFinite(load)) return {};
  if (before !== undefined && Math.abs(load - before) < SAME_LOAD) return { load: before };
  return { load: Math.round(load * 10) / 10 };
}

function isSame(a: SeenPlace, b: SeenPlace): boolean {
  return (
    a.isReachable === b.isReachable &&
    a.load === b.load &&
    a.isIsolated === b.isIsolated &&
    areEqual(a.capabilities, b.capabilities) &&
    isSameRecord(a.limits, b.limits)
  );
}

function isSameRecord(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
