import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a process kills itself: at its n-th passage of a point. */
export interface KillPoint {
  readonly point: string;
  readonly passage: number;
}

export type Entries = readonly (readonly string[])[];

/** What all that take part write to, a line each time. Lines of several processes never mix. */
export class Journal {
  readonly file: string;

  constructor(folder: string) {
    this.file = path.join(folder, 'journal');
  }

  write(...words: readonly (string | number)[]): void {
    appendFileSync(this.file, `${words.join(' ')}\n`);
  }

  /** Whole lines, as words. */
  read(): Entries {
    const lines = readFileSync(this.file, 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => line.split(' '));
  }
}

/**
 * Counts how often a process passes each point between deciding and doing, and kills it at one.
 * Nothing of the process runs after that: no handler, no `finally`, no flush.
 */
export class Probe {
  readonly passages = new Map<string, number>();
  readonly #killAt: KillPoint | undefined;
  readonly #journal: Journal;

  constructor(journal: Journal, killAt: KillPoint | undefined) {
    this.#journal = journal;
    this.#killAt = killAt;
  }

  pass(point: string): void {
    const passage = (this.passages.get(point) ?? 0) + 1;
    this.passages.set(point, passage);
    if (this.#killAt?.point !== point || this.#killAt.passage !== passage) return;
    this.#journal.write('killed', process.pid, Date.now());
    process.kill(process.pid, 'SIGKILL');
  }
}

/** The same object, with a point before and after each call of one of these methods. */
export function probed<T extends object>(
  target: T,
  { name, methods, probe }: { name: string; methods: readonly (keyof T)[]; probe: Probe },
): T {
  const isProbed = new Set<PropertyKey>(methods);
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (!isProbed.has(key)) return Reflect.apply(value, target, args);
        const point = `${name}.${String(key)}`;
        probe.pass(`${point}.before`);
        const result: unknown = Reflect.apply(value, target, args);
        if (!(result instanceof Promise)) {
          probe.pass(`${point}.after`);
          return result;
        }
        return result.finally(() => probe.pass(`${point}.after`));
      };
    },
  });
}
