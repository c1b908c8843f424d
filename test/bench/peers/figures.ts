/** Figures that several samples make together. None of them looks at the order of the samples. */

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

export function quantile(samples: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(samples).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Jain's index: 1 when all got the same, 1/n when one of n got everything. */
export function fairness(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return sum ** 2 / (shares.length * squares);
}
