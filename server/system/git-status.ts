/**
 * The paths in what `git status --porcelain=v2 -z` says: files that are not as they were committed, or
 * that git does not know yet. Names are taken as they are, whatever characters they have.
 */
export function pathsInStatus(text: string): readonly string[] {
  const paths: string[] = [];
  const records = text.split('\0');
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at]!;
    const fields = FIELDS_BEFORE_PATH[record.charAt(0)];
    if (fields === undefined) continue;
    paths.push(afterFields(record, fields));
    // The name that it had before follows as a record of its own.
    if (record.startsWith('2 ')) {
      at += 1;
      const before = records[at];
      if (before !== undefined && before !== '') paths.push(before);
    }
  }
  return paths;
}

/** By the first letter of a record: changed, renamed or copied, unmerged, unknown to git. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

function afterFields(record: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field += 1) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}
