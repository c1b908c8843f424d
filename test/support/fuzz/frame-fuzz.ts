import { duplexPair } from 'node:stream';
import {
  type Decoded,
  FrameDecoder,
  HEADER_BYTES,
  joinFrames,
  textOfFrame,
} from '../../../server/coordinator/frames.ts';
import { TRANSPORT_LIMITS } from '../../../server/coordinator/limits.ts';
import { parseMessage, requestOf, RequestError } from '../../../server/coordinator/messages.ts';
import { Reception } from '../../../server/coordinator/reception.ts';
import { Random } from '../../sim/random.ts';

export interface FuzzTotals {
  inputs: number;
  /** Of the decoder alone. */
  frames: number;
  readonly violations: Map<string, number>;
  /** Of whole peers. */
  joined: number;
  requests: number;
  /** What peers were told in the end, by its code; 0 for those that were told nothing of the kind. */
  readonly endings: Map<number, number>;
}

const TOKEN = 'the token of the fuzzed board';
const LIMITS = { ...TRANSPORT_LIMITS, strangerFrameBytes: 2048, frameBytes: 8192, strangers: 1000 };
const AT_ONCE = 100;
/** After one of these codes nothing more is said. */
const LAST_WORDS = new Set([-32_700, -32_001, -32_002, -32_003, -32_602]);

/**
 * Feeds spoilt streams to a decoder and to a whole peer, and throws when one of them breaks its rules.
 * Input `index` of a seed is always the same, so a failure names the two.
 */
export async function fuzzFrames({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<FuzzTotals> {
  const totals: FuzzTotals = {
    inputs: 0,
    frames: 0,
    violations: new Map(),
    joined: 0,
    requests: 0,
    endings: new Map(),
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    await Promise.all(indexes.map(async (index) => await tryOne({ seed, index, totals })));
  }
  return totals;
}

async function tryOne({
  seed,
  index,
  totals,
}: {
  readonly seed: number;
  readonly index: number;
  readonly totals: FuzzTotals;
}): Promise<void> {
  const random = new Random(seed * 1_000_003 + index);
  const bytes = spoil(random, wholeStream(random));
  const pieces = cut(random, bytes);
  try {
    const [first] = fuzzDecoder(random, { bytes, pieces, totals });
    await fuzzPeer(random, { first, pieces, totals });
  } catch (cause) {
    throw new Error(`Input ${index} of seed ${seed} broke a rule: ${String(cause)}`, { cause });
  }
  totals.inputs += 1;
}

interface Feed {
  readonly pieces: readonly Buffer[];
  readonly totals: FuzzTotals;
}

/** However it is cut, the same bytes are the same frames; and memory stays within its bounds. */
function fuzzDecoder(
  random: Random,
  { bytes, pieces, totals }: Feed & { readonly bytes: Buffer },
): readonly Decoded[] {
  const whole = decode([bytes], () => 0);
  const cutUp = decode(pieces, () => 0);
  demand(
    JSON.stringify(whole) === JSON.stringify(cutUp),
    'pieces are the same frames as the whole',
  );
  let nowMs = 0;
  const slow = decode(pieces, () => (nowMs += random.chance(0.1) ? 6000 : 1));
  for (const decoded of [...whole, ...slow])
    if (decoded.kind === 'frame') totals.frames += 1;
    else if (decoded.kind === 'violation') add(totals.violations, decoded.violation);
  return whole;
}

function decode(pieces: readonly Buffer[], now: () => number): readonly Decoded[] {
  const decoder = new FrameDecoder({ limitBytes: LIMITS.frameBytes, frameMs: LIMITS.frameMs });
  const all: Decoded[] = [];
  let arrivedBytes = 0;
  for (const piece of pieces) {
    decoder.push(piece, now());
    arrivedBytes += piece.length;
    for (let next = decoder.take(); next.kind !== 'incomplete'; next = decoder.take()) {
      if (next.kind === 'frame' || all.at(-1)?.kind !== 'violation') all.push(next);
      if (next.kind === 'violation') break;
    }
    demand(decoder.heldBytes <= 2 * arrivedBytes, 'held is at most twice of what arrived');
    const mostBytes = 2 * (LIMITS.frameBytes + HEADER_BYTES) + piece.length;
    demand(decoder.heldBytes <= mostBytes, 'held is at most two frames and a read');
  }
  const violation = decoder.end();
  if (violation !== undefined && all.at(-1)?.kind !== 'violation')
    all.push({ kind: 'violation', violation });
  const first = all.findIndex(({ kind }) => kind === 'violation');
  demand(first === -1 || first === all.length - 1, 'nothing comes after a violation');
  demand(decoder.heldBytes === 0 && decoder.deadlineMs === undefined, 'at the end nothing is held');
  return all;
}

/** Whatever a peer sends, it joins only by a hello, leaves if it joined, and is told nothing wrong. */
async function fuzzPeer(
  random: Random,
  { first, pieces, totals }: Feed & { readonly first: Decoded | undefined },
): Promise<void> {
  const log: string[] = [];
  const reception = receptionFor(log);
  const [ours, theirs] = duplexPair();
  reception.accept(theirs);
  const heard = new FrameDecoder({ limitBytes: 2 ** 30, frameMs: 2 ** 30 });
  const told: unknown[] = [];
  ours.on('data', (piece: Buffer) => {
    heard.push(piece, 0);
    for (let next = heard.take(); next.kind !== 'incomplete'; next = heard.take()) {
      if (next.kind === 'violation') throw new Error(`the coordinator sent ${next.violation}`);
      told.push(next.value);
    }
  });
  ours.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    theirs.once('close', () => process.nextTick(resolve));
  });
  for (const piece of pieces) ours.write(piece);
  if (random.chance(0.1)) ours.destroy();
  else ours.end();
  if (ours.destroyed) theirs.destroy();
  await closed;
  demand(reception.size === 0, 'nobody is left in the reception');
  checkLog(log, first);
  totals.joined += log.includes('joined') ? 1 : 0;
  totals.requests += log.filter((line) => line === 'request').length;
  add(totals.endings, checkTold(told));
}

function receptionFor(log: string[]): Reception {
  return new Reception({
    build: '1',
    protocol: { min: 1, max: 1 },
    limits: LIMITS,
    isToken: (token) => token === TOKEN,
    onFault: (error) => log.push(`fault ${String(error)}`),
    handler: {
      joined: (peer) => {
        log.push('joined');
        peer.notify('welcome', { name: peer.name });
      },
      left: () => log.push('left'),
      request: async (_, method, params) => {
        log.push('request');
        if (method === 'refuse') throw new RequestError(-1, 'refused', params);
        return await Promise.resolve(params);
      },
    },
  });
}

function checkLog(log: readonly string[], first: Decoded | undefined): void {
  const hello = first?.kind === 'frame' ? parseMessage(first.value) : undefined;
  const mayJoin = hello?.kind === 'request' && hello.method === 'hello';
  demand(log.length === 0 || mayJoin, 'only a hello opens anything');
  demand(/^(joined (request )*left )?$/.test(log.map((line) => `${line} `).join('')), log.join());
}

/** The code of the error that ended it. */
function checkTold(told: readonly unknown[]): number {
  const codes = told.map((value) => {
    const message = parseMessage(value);
    demand(
      message.kind !== 'invalid' && message.kind !== 'request',
      'all that is sent makes sense',
    );
    return message.kind === 'error' ? message.error.code : 0;
  });
  const last = codes.findIndex((code) => LAST_WORDS.has(code));
  demand(last === -1 || last === codes.length - 1, 'nothing is said after the last word');
  return last === -1 ? 0 : (codes[last] ?? 0);
}

/** What a peer would send that makes no mistakes, or only those of meaning. */
function wholeStream(random: Random): Buffer {
  const token = random.chance(0.9) ? TOKEN : 'another';
  const protocol = random.chance(0.95) ? { min: 1, max: 2 } : { min: 2, max: 2 };
  const hello = { token, role: 'worker', name: 'w', build: '1', protocol };
  const messages: unknown[] = random.chance(0.9) ? [requestOf(0, 'hello', hello)] : [];
  for (let left = random.below(8); left > 0; left -= 1) messages.push(anyMessage(random));
  return framesOf(messages);
}

function anyMessage(random: Random): unknown {
  const id = random.below(4);
  return random.pick([
    () => requestOf(id, 'echo', { text: 'ä€😀'.repeat(random.below(random.pick([3, 3, 3, 300]))) }),
    () => requestOf(id, 'echo', [id]),
    () => requestOf(id, 'refuse', [[[id]]]),
    () => requestOf(id, 'hello', { token: TOKEN }),
    () => ({ jsonrpc: '2.0', method: 'echo', params: [] }),
    () => ({ jsonrpc: '2.0', id, result: null }),
    () => ({ jsonrpc: '2.0', id: [id], method: 'echo' }),
    () => [requestOf(id, 'echo', [])],
    () => ({ ['__proto__']: { method: 'hello' }, jsonrpc: '2.0', id }),
    () => null,
  ])();
}

function spoil(random: Random, whole: Buffer): Buffer {
  let bytes = whole;
  for (let times = random.pick([0, 1, 1, 2, 3]); times > 0; times -= 1)
    bytes = spoilOnce(random, bytes);
  return bytes;
}

function spoilOnce(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  return random.pick([
    () => before,
    () => Buffer.concat([before, anyBytes(random), after]),
    () => Buffer.concat([before, after.subarray(random.below(9))]),
    () => Buffer.concat([before, before.subarray(random.below(at + 1)), after]),
    () => Buffer.concat([bytes, frameOf(random, anyBytes(random))]),
    () => Buffer.concat([bytes, frameOf(random, Buffer.from('[{"a":'.repeat(random.below(60))))]),
    () =>
      Buffer.concat([before, after.subarray(0, 1).map(() => random.below(256)), after.subarray(1)]),
    () => anyBytes(random),
  ])();
}

function anyBytes(random: Random): Buffer {
  const texts = ['GET / HTTP/1.1\r\n\r\n', '\uFEFF{}', '"\\', '{}{}', '[1,', '1e999'];
  return random.chance(0.3)
    ? Buffer.from(random.pick(texts))
    : Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256)));
}

/** With a length that is often not that of its content. */
function frameOf(random: Random, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const wrong = [0, 1, content.length + 1, 2048, 2049, 8192, 8193, 2 ** 31, 2 ** 32 - 1];
  header.writeUInt32LE(random.chance(0.5) ? content.length : random.pick(wrong));
  return Buffer.concat([header, content]);
}

function framesOf(messages: readonly unknown[]): Buffer {
  return joinFrames(messages.flatMap((message) => textOfFrame(message, LIMITS.frameBytes) ?? []));
}

function cut(random: Random, bytes: Buffer): readonly Buffer[] {
  const most = random.pick([1, 7, 100, 10_000]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.length > 500 && most < 100 ? 101 : random.between(1, most);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function demand(condition: boolean, rule: string): void {
  if (!condition) throw new Error(`Broken rule: ${rule}`);
}
