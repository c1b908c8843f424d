import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { parseRequest } from '../../../server/keeper/messages.ts';
import { ShapeError } from '../../../server/keeper/shape.ts';
import { Random } from '../../sim/random.ts';
import { METHODS, REQUESTS } from './random-requests.ts';

export interface FuzzTotals {
  /** By the method. */
  readonly accepted: Map<string, number>;
  readonly refused: Map<string, number>;
}

type Json = unknown;
type Slot = { readonly holder: Json[] | Record<string, Json>; readonly key: string };

const SAMPLES = 300;
/** Objects whose names are the sender's own choice. */
const RECORDS = new Set(['env', 'resources', 'limits']);

/**
 * Spoils requests and reads them, and throws when one breaks the rules: it is refused by a `ShapeError`
 * or it is read; what is read came, has no field that nobody knows, and is read as the same again.
 * Input `index` of a seed is always the same, so a failure names the two.
 */
export function fuzzMessages({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): FuzzTotals {
  const totals: FuzzTotals = { accepted: new Map(), refused: new Map() };
  const samples = Object.entries(REQUESTS).map(([method, requests]) => {
    const texts = fc.sample<unknown>(requests, { seed: 1, numRuns: SAMPLES }).map((request) => {
      return JSON.stringify(request);
    });
    return { method, texts, known: new Set(texts.flatMap((text) => pathsOf(JSON.parse(text)))) };
  });
  for (let index = 0; index < count; index += 1) {
    const random = new Random(seed * 1_000_003 + index);
    const { method, texts, known } = samples[index % METHODS.length]!;
    const params = spoil(random, JSON.parse(random.pick(texts)));
    try {
      const read = tryToRead(method, params);
      add(read === undefined ? totals.refused : totals.accepted, method);
      if (read !== undefined) check({ method, params, read, known });
    } catch (cause) {
      const what = `Input ${index} of seed ${seed} broke a rule: ${String(cause)}`;
      throw new Error(`${what}\n${method} ${JSON.stringify(params).slice(0, 2000)}`, { cause });
    }
  }
  return totals;
}

function tryToRead(method: string, params: Json): object | undefined {
  try {
    return parseRequest(method, params)?.params;
  } catch (error) {
    if (error instanceof ShapeError && error.message.startsWith('params')) return undefined;
    throw error;
  }
}

function check({
  method,
  params,
  read,
  known,
}: {
  readonly method: string;
  readonly params: Json;
  readonly read: object;
  readonly known: ReadonlySet<string>;
}): void {
  demand(isPartOf(read, params), 'what is read is a part of what came');
  for (const path of pathsOf(read)) demand(known.has(path), `nobody smuggles ${path}`);
  const text = JSON.stringify(read);
  const again = tryToRead(method, JSON.parse(text));
  demand(isDeepStrictEqual(again, read), 'what was read once is read again');
  demand(JSON.stringify(again) === text, 'and in the same order');
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  if (Array.isArray(part) && !(Array.isArray(whole) && whole.length === part.length)) return false;
  if (!Array.isArray(part) && Object.getPrototypeOf(part) !== Object.prototype) return false;
  const sent = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => isPartOf(value, sent.get(key)));
}

/** `.tasks.0.asks.timeout` and the like, with all places of a list as one. */
function pathsOf(value: Json, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isFree = RECORDS.has(at.slice(at.lastIndexOf('.') + 1));
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .flatMap(([key, part]) => {
      const path = `${at}.${Array.isArray(value) || isFree ? '*' : key}`;
      return [path, ...pathsOf(part, path)];
    });
}

/** Some requests stay as they are; most are changed in one place or a few. */
function spoil(random: Random, params: Json): Json {
  const root = { params };
  for (let times = random.below(4); times > 0; times -= 1) spoilOnce(random, root);
  return root.params;
}

function spoilOnce(random: Random, root: Record<string, Json>): void {
  const slots = slotsOf(root);
  const { holder, key } = random.pick(slots);
  const value: Json = Reflect.get(holder, key);
  switch (random.below(7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (holder !== root) Reflect.deleteProperty(holder, key);
      break;
    case 1:
      grow(value, random.pick(['smuggled', 'smuggled too', 'kind', 'toString']), strange(random));
      break;
    case 2:
      grow(value, random.pick(['__proto__', 'constructor', 'prototype']), strange(random));
      break;
    case 3:
      define(holder, key, [value]);
      break;
    case 4:
      if (Array.isArray(value))
        value.push(...Array.from({ length: random.below(20) }, () => value[0]));
      break;
    case 5: {
      const other = random.pick(slots);
      define(holder, key, structuredClone(Reflect.get(other.holder, other.key)));
      break;
    }
    default:
      define(holder, key, strange(random));
  }
}

/** Everywhere that something is. */
function slotsOf(holder: Json[] | Record<string, Json>): readonly Slot[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const slot = { holder, key };
    return isHolder(value) ? [slot, ...slotsOf(value)] : [slot];
  });
}

function isHolder(value: Json): value is Json[] | Record<string, Json> {
  return typeof value === 'object' && value !== null;
}

function grow(holder: Json, key: string, value: Json): void {
  if (Array.isArray(holder)) holder.push(value);
  else define(holder, key, value);
}

/** As a parser of JSON does it: whatever the name, it is a field. */
function define(holder: Json, key: string, value: Json): void {
  if (!isHolder(holder)) return;
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** What JSON can say, and now and then what it cannot. */
function strange(random: Random): Json {
  return random.pick<() => Json>([
    () => null,
    () => random.chance(0.5),
    () => random.pick([0, -0, -1, 1.5, 2 ** 53, -(2 ** 53), 1e308, Infinity, NaN, 1e-320]),
    () => random.pick(['', 'a', '../x', '/x', '\ud800', 'a\0b', 'x'.repeat(2000), 'runner/local']),
    () => random.pick(['__proto__', 'constructor', 'started', 'shell', 'window', '1', '!', '[']),
    () => [],
    () => ({}),
    () => [null, {}, [[]]],
    () => ({ kind: 'shell', script: 'true', more: { smuggled: 1 } }),
    () => ({ kind: 'constructor' }),
    () => JSON.parse('{"__proto__":{"kind":"runner"}}'),
    () => undefined,
  ])();
}

function add(totals: Map<string, number>, name: string): void {
  totals.set(name, (totals.get(name) ?? 0) + 1);
}

function demand(isSo: boolean, rule: string): void {
  if (!isSo) throw new Error(rule);
}
