/**
 * What the user is told where tasks run in two folders of a repository of which one lies inside the
 * other: paths are those of a plan's own folder, so one file has two names.
 */
export function nestedNotice(folder: string, others: Iterable<string>): string | undefined {
  for (const other of others) {
    const isInner = liesIn(folder, { outer: other });
    if (!isInner && !liesIn(other, { outer: folder })) continue;
    const [inner, outer] = isInner ? [folder, other] : [other, folder];
    return (
      `The folder ${inner} lies inside ${outer}, and tasks run in both: nobody sees that they write the ` +
      'same files there. Put them into one plan, or run them one after the other.'
    );
  }
  return undefined;
}

/** Real paths, of whichever system. */
function liesIn(inner: string, { outer }: { readonly outer: string }): boolean {
  if (inner === outer || !inner.startsWith(outer)) return false;
  return /[/\\]$/.test(outer) || /^[/\\]/.test(inner.slice(outer.length));
}
