import { foldTaskId, parseTaskId, type TaskId } from '../../domain/ids.ts';

const ID_LENGTH = 64;

/**
 * An id for each label: the label itself where it can be one, else its letters and digits. Labels that would
 * get the same id get a few digits more, all of them, so that no id depends on which one comes first.
 */
export function idsOfLabels(labels: Iterable<string>): ReadonlyMap<string, TaskId> {
  const groups = new Map<string, string[]>();
  for (const label of new Set(labels)) {
    const key = slugOf(label).toLowerCase();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [label]);
    else group.push(label);
  }
  const ids = new Map<string, TaskId>();
  const taken = new Set<string>();
  const give = (label: string, text: string): boolean => {
    const id = parseTaskId(text);
    if (id === undefined || taken.has(foldTaskId(id))) return false;
    taken.add(foldTaskId(id));
    ids.set(label, id);
    return true;
  };
  for (const [, group] of groups)
    if (group.length === 1) for (const label of group) give(label, slugOf(label));
  for (const [, group] of groups)
    for (const label of group)
      for (let attempt = 0; !ids.has(label); attempt += 1) give(label, withDigits(label, attempt));
  return ids;
}

function slugOf(label: string): string {
  const slug = label
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, '');
  if (slug === '') return withDigits(label, 0);
  return slug.length <= ID_LENGTH ? slug : shortened(slug, hashOf(label));
}

function withDigits(label: string, attempt: number): string {
  const slug = label.normalize('NFKD').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  const start = slug.replaceAll(/^[^A-Za-z0-9]+|-+$/g, '');
  return shortened(
    start === '' ? 'task' : start,
    hashOf(attempt === 0 ? label : `${attempt} ${label}`),
  );
}

function shortened(slug: string, digits: string): string {
  return `${slug.slice(0, ID_LENGTH - digits.length - 1)}-${digits}`;
}

/** Six digits of an FNV-1a hash: enough to tell the labels of one file apart. */
function hashOf(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93) >>> 0;
  return (hash >>> 8).toString(16).padStart(6, '0');
}
