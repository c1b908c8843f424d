interface Version {
  readonly numbers: readonly number[];
  /** As `1.2.0-beta`, which comes before `1.2.0`. */
  readonly isEarly: boolean;
}

/** Whether one build comes after the other. Never both ways; `false` where that cannot be told. */
export function isNewerBuild(build: string, { than }: { readonly than: string }): boolean {
  const [ours, theirs] = [versionOf(build), versionOf(than)];
  if (ours === undefined || theirs === undefined) return false;
  for (const [index, number] of ours.numbers.entries()) {
    const other = theirs.numbers[index] ?? 0;
    if (number !== other) return number > other;
  }
  return theirs.isEarly && !ours.isEarly;
}

function versionOf(build: string): Version | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-)?/.exec(build);
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(Number), isEarly: match[4] !== undefined };
}
