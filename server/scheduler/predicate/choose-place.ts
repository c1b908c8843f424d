import { mayCall } from '../../domain/failure/circuit-breaker.ts';
import { bestPlace } from './best-place.ts';
import { missingAt, placesFor } from './places.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskEntry } from '../model/run-model.ts';
import type { Turn } from './turn.ts';
import { poolOf } from './usage.ts';
import { LOCAL, type Place } from '../model/workers.ts';

/** Who asks for what, and how much of an answer is needed. */
interface Asking {
  readonly entry: TaskEntry;
  readonly place: Place;
  readonly isQuick: boolean;
}

/** The best of those that take it. Where none does, the reasons of each. */
export function choosePlace(
  turn: Turn,
  { entry, isQuick }: Omit<Asking, 'place'>,
  reasons: Reason[],
): Place | undefined {
  const { workers } = turn.board;
  const { hosts } = entry.asks;
  const local = hosts.length === 0 ? workers.places.get(LOCAL) : undefined;
  if (local !== undefined) {
    const before = reasons.length;
    reasonsOfPlace(turn, { entry, place: local, isQuick }, reasons);
    return reasons.length > before ? undefined : local;
  }
  const places = placesFor(turn.board, hosts);
  const against: Reason[] = [];
  const open: Place[] = [];
  let busy: readonly Reason[] | undefined;
  let full: readonly Reason[] | undefined;
  for (const place of places) {
    const its: Reason[] = [];
    reasonsOfPlace(turn, { entry, place, isQuick }, its);
    against.push(...its);
    if (its.length === 0) open.push(place);
    else if (its.every(({ kind }) => kind === 'resources')) busy ??= its;
    else if (its.every(isOfOthersHere)) full ??= its;
  }
  // One place that would do as soon as others end says more than all those that would not.
  if (open.length === 0) reasons.push(...((isQuick ? (busy ?? full) : undefined) ?? against));
  // Where it would delay another, it goes only if it would do so everywhere.
  const harmless = open.filter(({ name }) => !turn.outranks(entry, name));
  return bestPlace(turn, entry, harmless.length > 0 ? harmless : open);
}

function reasonsOfPlace(turn: Turn, asking: Asking, reasons: Reason[]): void {
  const { entry, place } = asking;
  const { asks } = entry;
  if (place.name === LOCAL) reasonsOfHere(turn, entry, reasons);
  const before = reasons.length;
  if (turn.board.workers.isDrained(place.runner))
    reasons.push({ kind: 'paused', because: 'drained', worker: place.runner });
  if (place.name !== LOCAL) reasonsOfHost(turn, place, reasons);
  if (asks.needs.length > 0) {
    const missing = missingAt(turn.board, asks, place);
    if (missing.length > 0)
      reasons.push({ kind: 'capability', because: 'needs', missing, who: place.name });
  }
  // What cannot be done there anyway takes nothing there.
  if (reasons.length === before) reasonsOfResources(turn, asking, reasons);
}

function isOfOthersHere(reason: Reason): boolean {
  return reason.kind === 'resources' || (reason.kind === 'parallel' && reason.host === undefined);
}

/** Each run says how many tasks may be at work on this machine, whosever they are. */
function reasonsOfHere({ countHere }: Turn, { run }: TaskEntry, reasons: Reason[]): void {
  const limit = run.manifest.policy.parallel;
  if (countHere >= limit) reasons.push({ kind: 'parallel', limit });
}

function reasonsOfHost(turn: Turn, place: Place, reasons: Reason[]): void {
  const host = place.name;
  if (!place.isReachable) reasons.push({ kind: 'host', host, because: 'unreachable' });
  const call = mayCall(turn.breakerOf(place), turn.now);
  if (call.kind === 'refused')
    reasons.push({ kind: 'host', host, because: 'failing', until: call.until });
  const limit = place.limits['parallel'];
  if (limit !== undefined && turn.usage.countAt(host) >= limit)
    reasons.push({ kind: 'parallel', limit, host });
}

export function reasonsOfResources(
  turn: Turn,
  { entry, place, isQuick }: Asking,
  reasons: Reason[],
): void {
  const { run, asks } = entry;
  for (const name in asks.resources) {
    const asked = asks.resources[name] ?? 0;
    const pool = poolOf(name, { run, place });
    const used = pool === undefined ? 0 : turn.usage.of(pool.key);
    // What nobody says how much there is of, there is none of.
    const limit = pool?.limit ?? 0;
    if (used + asked <= limit) continue;
    const takers = pool === undefined || isQuick ? [] : turn.usage.takersOf(pool.key);
    const isInverted = takers.some(({ rank }) => rank > entry.rank);
    reasons.push({
      kind: 'resources',
      name,
      asked,
      used,
      limit,
      holders: takers.map(({ id }) => id),
      lostAt: pool === undefined || isQuick ? [] : turn.usage.lostTakersOf(pool.key),
      isInverted,
    });
  }
}
