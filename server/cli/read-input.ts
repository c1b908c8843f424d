/** All that another program writes to this one, as text; nothing where it is more than is allowed. */
export async function readInput(
  input: AsyncIterable<unknown>,
  limitBytes: number,
): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes = Buffer.from(typeof piece === 'string' ? piece : toBytes(piece));
    size += bytes.length;
    // The rest is read all the same: whoever writes it would wait for that.
    if (size <= limitBytes) pieces.push(bytes);
  }
  return size > limitBytes ? undefined : Buffer.concat(pieces).toString('utf8');
}

function toBytes(piece: unknown): Uint8Array {
  return piece instanceof Uint8Array ? piece : Buffer.alloc(0);
}
