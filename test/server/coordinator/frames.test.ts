import { expect, test } from 'vitest';
import { type Decoded, FrameDecoder, type Violation } from '../../../server/coordinator/frames.ts';
import { Random } from '../../sim/random.ts';
import { frameOf, framesOf } from './echo-board.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

function decoder({ limitBytes = 16 * MIB, frameMs = 10_000 } = {}): FrameDecoder {
  return new FrameDecoder({ limitBytes, frameMs });
}

/** What comes of pieces that arrive one by one, a millisecond apart. */
function decode(pieces: readonly Buffer[], limits = {}): readonly Decoded[] {
  const frames = decoder(limits);
  return pieces.flatMap((piece, index) => {
    frames.push(piece, index);
    return takeAll(frames);
  });
}

function takeAll(frames: FrameDecoder): readonly Decoded[] {
  const all: Decoded[] = [];
  for (let next = frames.take(); next.kind !== 'incomplete'; next = frames.take()) {
    all.push(next);
    if (next.kind === 'violation') break;
  }
  return all;
}

function values(decoded: readonly Decoded[]): readonly unknown[] {
  return decoded.map((each) => (each.kind === 'frame' ? each.value : each));
}

function check(name: string, bytes: Buffer, expected: Violation | 'frame' | 'incomplete'): void {
  test(name, () => {
    const [first = { kind: 'incomplete' as const }] = decode([bytes], { limitBytes: 64 * KIB });
    expect(first.kind === 'violation' ? first.violation : first.kind).toBe(expected);
  });
}

check('a frame without content is refused', frameOf(''), 'empty');
check('a length of 2^32-1 is refused by its header alone', frameOf('', 2 ** 32 - 1), 'too-long');
check('one byte over the limit is refused', frameOf('', 64 * KIB + 1), 'too-long');
check('a frame as long as the limit is read', frameOf(`"${'a'.repeat(64 * KIB - 2)}"`), 'frame');
check(
  'an HTTP request line is a length that nobody may claim',
  Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  'too-long',
);
check(
  'a TLS handshake is one too',
  Buffer.from('\u0016\u0003\u0001\u0002\u0000\u0001'),
  'too-long',
);
check('what is not JSON is refused', frameOf('{"a":'), 'not-json');
check('JSON with something after it is refused', frameOf('{} {}'), 'not-json');
check('JSON with a zero byte after it is refused', frameOf('{}\0'), 'not-json');
check('a byte order mark is refused', frameOf('\uFEFF{}'), 'not-json');
check('a byte that no UTF-8 has is refused', frameOf(Buffer.from([0x22, 0xff, 0x22])), 'not-utf8');
check(
  'UTF-8 cut in the middle is refused',
  frameOf(Buffer.from([0x22, 0xe2, 0x82, 0x22])),
  'not-utf8',
);
check('an overlong slash is refused', frameOf(Buffer.from([0x22, 0xc0, 0xaf, 0x22])), 'not-utf8');
check(
  'half of a surrogate pair is refused',
  frameOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  'not-utf8',
);
check('64 levels are read', frameOf('['.repeat(64) + ']'.repeat(64)), 'frame');
check('65 levels are refused', frameOf('['.repeat(65) + ']'.repeat(65)), 'too-deep');
check('levels count through lists and objects', frameOf('[{"a":'.repeat(33)), 'too-deep');
check(
  'brackets in a string are no levels',
  frameOf(`"${'['.repeat(100)}\\"${'{'.repeat(100)}"`),
  'frame',
);
check('brackets after an escaped backslash are', frameOf(`["\\\\",${'['.repeat(64)}`), 'too-deep');
check('a header that has not arrived is waited for', Buffer.from([5, 0, 0]), 'incomplete');

test('a depth of 10^5 costs no stack', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(decode([frameOf(text)])).toEqual([{ kind: 'violation', violation: 'too-deep' }]);
});

test('16 MiB and one byte are refused, 16 MiB are read', () => {
  const longest = frameOf(`"${'a'.repeat(16 * MIB - 2)}"`);
  expect(decode([longest]).map(({ kind }) => kind)).toEqual(['frame']);
  expect(decode([frameOf('', 16 * MIB + 1)])).toEqual([
    { kind: 'violation', violation: 'too-long' },
  ]);
});

test('10 000 frames arrive whole and in order in pieces of any size', () => {
  const sent = Array.from({ length: 10_000 }, (_, index) => ({
    index,
    text: 'ä€😀'.repeat(index % 7),
  }));
  const bytes = framesOf(...sent);
  const random = new Random(1);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = random.chance(0.1) ? random.between(1, 5000) : random.between(1, 13);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  expect(values(decode(pieces))).toEqual(sent);
});

test('frames that come byte by byte are the same frames', () => {
  const bytes = framesOf({ a: 1 }, [2], 'three');
  expect(values(decode(Array.from(bytes, (byte) => Buffer.from([byte]))))).toEqual([
    { a: 1 },
    [2],
    'three',
  ]);
});

test('what a header claims is not allocated', () => {
  const frames = decoder();
  frames.push(frameOf('12345', 16 * MIB), 0);
  expect(frames.take().kind).toBe('incomplete');
  expect(frames.heldBytes).toBe(9);
});

test('it never holds more than twice of what has arrived', () => {
  const frames = decoder();
  const bytes = frameOf('"', MIB);
  for (let at = 0; at < bytes.length; at += 1) frames.push(bytes.subarray(at, at + 1), 0);
  let arrivedBytes = bytes.length;
  for (const size of [1, 100, 65_536, 7, 65_536, 65_536, 1]) {
    frames.push(Buffer.alloc(size, 'a'), 0);
    arrivedBytes += size;
    expect(frames.take().kind).toBe('incomplete');
    expect(frames.heldBytes).toBeLessThanOrEqual(2 * arrivedBytes);
  }
});

test('between frames it holds nothing', () => {
  const frames = decoder();
  frames.push(framesOf({ a: 1 }), 0);
  takeAll(frames);
  expect(frames.heldBytes).toBe(0);
});

test('after a violation it takes and holds nothing more', () => {
  const frames = decoder();
  frames.push(Buffer.concat([framesOf(1), frameOf(''), framesOf(2)]), 0);
  frames.push(framesOf(3), 0);
  expect(takeAll(frames)).toEqual([
    { kind: 'frame', value: 1 },
    { kind: 'violation', violation: 'empty' },
  ]);
  frames.push(framesOf(4), 1);
  expect(frames.take()).toEqual({ kind: 'violation', violation: 'empty' });
  expect(frames.heldBytes).toBe(0);
});

test('a limit that is raised counts for what has arrived and was not taken', () => {
  const frames = decoder({ limitBytes: 10 });
  frames.push(framesOf('first', 'longer than ten'), 0);
  expect(frames.take()).toEqual({ kind: 'frame', value: 'first' });
  frames.raiseLimit(100);
  expect(frames.take()).toEqual({ kind: 'frame', value: 'longer than ten' });
});

test('the deadline of a frame is that of its first byte, whatever comes later', () => {
  const frames = decoder({ frameMs: 100 });
  const bytes = framesOf('slowly');
  frames.push(bytes.subarray(0, 1), 1000);
  expect(frames.deadlineMs).toBe(1100);
  frames.push(bytes.subarray(1, 5), 1099);
  expect(frames.take().kind).toBe('incomplete');
  expect(frames.deadlineMs).toBe(1100);
  expect(frames.expire(1099)).toBe(undefined);
  expect(frames.expire(1100)).toBe('too-slow');
});

test('a piece after the deadline that does not end the frame is refused without a timer', () => {
  const frames = decoder({ frameMs: 100 });
  const bytes = framesOf('slowly');
  frames.push(bytes.subarray(0, 1), 0);
  expect(frames.take().kind).toBe('incomplete');
  frames.push(bytes.subarray(1, 2), 100);
  expect(frames.take()).toEqual({ kind: 'violation', violation: 'too-slow' });
});

test('a frame that is whole is never too slow: we may have been', () => {
  const frames = decoder({ frameMs: 100 });
  const bytes = framesOf('slowly');
  frames.push(bytes.subarray(0, 1), 0);
  frames.push(bytes.subarray(1), 5000);
  expect(frames.take()).toEqual({ kind: 'frame', value: 'slowly' });
  expect(frames.deadlineMs).toBe(undefined);
});

test('a frame that begins in the read that ends another has its own time', () => {
  const frames = decoder({ frameMs: 100 });
  const bytes = framesOf('first', 'second');
  frames.push(bytes.subarray(0, 3), 0);
  expect(frames.take().kind).toBe('incomplete');
  frames.push(bytes.subarray(3, -1), 90);
  expect(frames.take()).toEqual({ kind: 'frame', value: 'first' });
  expect(frames.take().kind).toBe('incomplete');
  expect(frames.deadlineMs).toBe(190);
});

test('between frames there is no deadline', () => {
  const frames = decoder({ frameMs: 100 });
  expect(frames.deadlineMs).toBe(undefined);
  expect(frames.expire(1_000_000)).toBe(undefined);
});

test('a stream that ends inside a frame is truncated, and between frames it is not', () => {
  const whole = decoder();
  whole.push(framesOf(1), 0);
  takeAll(whole);
  expect(whole.end()).toBe(undefined);
  const cut = decoder();
  cut.push(framesOf(1).subarray(0, -1), 0);
  takeAll(cut);
  expect(cut.end()).toBe('truncated');
});
