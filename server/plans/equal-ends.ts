const CHUNK = 512;

/** How many characters two texts have in common at their start, and after those at their end. */
export function equalEnds(a: string, b: string): { readonly start: number; readonly end: number } {
  const start = equalStart(a, b);
  return { start, end: equalEnd(a, b, Math.min(a.length, b.length) - start) };
}

function equalStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  // Stretches are compared as a whole, which takes a fraction of the time that characters take.
  while (at + CHUNK <= limit && a.slice(at, at + CHUNK) === b.slice(at, at + CHUNK)) at += CHUNK;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function equalEnd(a: string, b: string, limit: number): number {
  const [endA, endB] = [a.length, b.length];
  let at = 0;
  while (
    at + CHUNK <= limit &&
    a.slice(endA - at - CHUNK, endA - at) === b.slice(endB - at - CHUNK, endB - at)
  )
    at += CHUNK;
  while (at < limit && a.charCodeAt(endA - at - 1) === b.charCodeAt(endB - at - 1)) at += 1;
  return at;
}
