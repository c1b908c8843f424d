import type { ProcessIdentity } from '../domain/task.ts';

/** How an attempt stands on a machine. */
export type Seen =
  /** Nobody has ordered it there, and anybody still may. */
  | { readonly kind: 'unknown' }
  /** Ordered, and not begun. */
  | { readonly kind: 'ordered' }
  /** It has not begun, and never will. */
  | { readonly kind: 'fenced' }
  | { readonly kind: 'running'; readonly process: ProcessIdentity }
  /** Its command has ended; something of its group is still there. */
  | ({ readonly kind: 'ending' } & Ended)
  | ({ readonly kind: 'ended' } & Ended)
  /** What leads its group died without a word, and some of the group lives. */
  | { readonly kind: 'headless' }
  | { readonly kind: 'gone' }
  /** The machine has been started anew since. */
  | { readonly kind: 'rebooted' };

interface Ended {
  /** A status as a shell counts it, or `folder`: that was not there. */
  readonly result: string;
  readonly process: ProcessIdentity;
}

/** Reads `TERM STATE …`; nothing where no machine of ours says that. */
export function readSeen(line: string, bootId: string): readonly [number, Seen] | undefined {
  const [term = '', state = '', ...rest] = line.split(' ');
  if (!/^\d{1,15}$/.test(term)) return undefined;
  const seen = seenOf(state, rest, bootId);
  return seen && [Number(term), seen];
}

function seenOf(state: string, rest: readonly string[], bootId: string): Seen | undefined {
  const [first = '', pid, ...start] = rest;
  const process = {
    bootId,
    pid: Number(pid),
    startTime: start.join(' ').slice(0, START_LENGTH),
  };
  switch (state) {
    case 'unknown':
    case 'fenced':
    case 'headless':
    case 'gone':
    case 'rebooted':
      return { kind: state };
    case 'ordered':
      return { kind: 'ordered' };
    case 'running':
      return Number.isSafeInteger(process.pid) ? { kind: 'running', process } : undefined;
    case 'ending':
    case 'ended':
      if (first === 'fenced') return { kind: 'fenced' };
      return RESULT.test(first) ? { kind: state, result: first, process } : undefined;
    default:
      return undefined;
  }
}

/** As `/proc` counts it, or as \`ps\` writes a date. */
const START_LENGTH = 64;
const RESULT = /^(?:\d{1,3}|folder)$/;
