import { createReadStream } from 'node:fs';
import {
  HEAD_BYTES,
  marker,
  MARKER_BYTES,
  readTail,
  sizeOf,
  TAIL_BYTES,
  TAIL_START,
  tailFile,
} from './log-parts.ts';

/** What is kept of the output of a command, in order, also while it runs; nothing when it has no log. */
export async function* readLog(file: string): AsyncGenerator<Buffer, void> {
  const { leftOutBytes, bytes } = await readTail(file);
  if (bytes === 0) {
    const size = sizeOf(file);
    const skipped = size - HEAD_BYTES - TAIL_BYTES;
    const isWhole = skipped <= MARKER_BYTES;
    yield* readPart(file, 0, isWhole ? Infinity : HEAD_BYTES);
    if (isWhole) return;
    yield Buffer.from(marker(skipped));
    yield* readPart(file, size - TAIL_BYTES);
    return;
  }
  yield* readPart(file, 0, HEAD_BYTES);
  if (leftOutBytes > 0) yield Buffer.from(marker(leftOutBytes));
  yield* readPart(tailFile(file), TAIL_START);
  yield* readPart(file, HEAD_BYTES);
}

async function* readPart(file: string, from: number, to = Infinity): AsyncGenerator<Buffer, void> {
  try {
    for await (const piece of createReadStream(file, { start: from, end: to - 1 }))
      if (piece instanceof Buffer) yield piece;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
