import { setTimeout as delay } from 'node:timers/promises';
import { unreachable } from '../domain/assert.ts';
import type { ProcessIdentity } from '../domain/task.ts';
import type { Sight } from '../engine/ports.ts';
import type { Machine } from './machine.ts';
import { readSeen, type Seen } from './seen.ts';

const LOOK_AGAIN_MS = 20;
/** What was asked to end, or has been killed, is gone by then. */
const PATIENCE_MS = 1500;

/** How an attempt stands there; nothing where the machine says what nobody understands. */
async function see(term: number, { shell, facts }: Machine): Promise<Seen | undefined> {
  const { lines } = await shell.ask('il_see', term);
  return lines.map((line) => readSeen(line, facts.boot)?.[1]).find((seen) => seen !== undefined);
}

/** What has not begun never does, what has lost its head dies; what is about to be gone is waited for. */
export async function seeForGood(term: number, machine: Machine): Promise<Seen | undefined> {
  const { shell } = machine;
  return await seeUntil(term, machine, async (seen) => {
    if (seen.kind === 'unknown' || seen.kind === 'ordered') await shell.ask('il_fence', term);
    else if (seen.kind === 'headless') await shell.ask('il_signal', 'KILL', term);
    else if (seen.kind !== 'ending') return true;
    return false;
  });
}

/** None of these begins any more; answers with those that are at work. */
export async function fence(
  terms: readonly number[],
  { shell, facts }: Machine,
): Promise<readonly number[]> {
  const { lines } = await shell.ask('il_fence', ...terms);
  const asked = new Set(terms);
  return lines.flatMap((line) => {
    const [term, seen] = readSeen(line, facts.boot) ?? [];
    return term !== undefined && asked.delete(term) && seen && ALIVE.has(seen.kind) ? [term] : [];
  });
}

/** Whatever there is of it dies, and it never begins; answers whether that is certain. */
export async function kill(term: number, mark: string, machine: Machine): Promise<boolean> {
  const { shell } = machine;
  await shell.ask('il_fence', term);
  const seen = await seeUntil(term, machine, async ({ kind }) => {
    if (!ALIVE.has(kind)) return true;
    await shell.ask('il_signal', 'KILL', term);
    return false;
  });
  const { status } = await shell.ask('il_sweep', mark);
  return status === 0 && seen !== undefined && !ALIVE.has(seen.kind);
}

/** Looks again until that is how it stays, or for as long as patience lasts. */
async function seeUntil(
  term: number,
  machine: Machine,
  isFinal: (seen: Seen) => Promise<boolean>,
): Promise<Seen | undefined> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await see(term, machine);
    if (seen === undefined || (await isFinal(seen)) || performance.now() > until) return seen;
    await delay(LOOK_AGAIN_MS);
  }
}

const ALIVE: ReadonlySet<Seen['kind']> = new Set(['running', 'ending', 'headless']);

/** Whether its command, or something of its group, goes on as it should. */
export function isAlive(
  seen: Seen | undefined,
): seen is Extract<Seen, { kind: 'running' | 'ending' }> {
  return seen?.kind === 'running' || seen?.kind === 'ending';
}

/** What became of an attempt whose result nobody knows; nothing where it is not certain. */
export function sightOf(
  seen: Seen | undefined,
  process: ProcessIdentity | undefined,
): Sight | undefined {
  switch (seen?.kind) {
    case 'fenced':
      return process === undefined ? { kind: 'never-started' } : { kind: 'gone', cause: 'killed' };
    case 'gone':
      return { kind: 'gone', cause: 'killed' };
    case 'rebooted':
      return { kind: 'gone', cause: 'host-lost' };
    case undefined:
    case 'unknown':
    case 'ordered':
    case 'running':
    case 'ending':
    case 'ended':
    case 'headless':
      return undefined;
    default:
      return unreachable(seen);
  }
}
