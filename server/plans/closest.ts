/** ` Did you mean "x"?` when one of the words is close enough to be a slip of the keys, else ``. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const best = closest(word, words);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** The word that is close enough to be what was meant. */
export function closest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Of one letter nothing is left when it is another.
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)) + 1, word.length);
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters added, removed, replaced, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
