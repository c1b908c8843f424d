/**
 * Values that JSON text gives back as they were. What JSON cannot say, it says as a string that begins
 * with `~`: `undefined`, which is not the same as nothing said, and numbers that are not finite. A
 * string that begins so by itself has another `~` in front.
 */
export function toExactJson(value: unknown): unknown {
  if (value === undefined) return `${MARK}undefined`;
  if (typeof value === 'number') return saysNumber(value) ? value : MARK + nameOf(value);
  if (typeof value === 'string') return value.startsWith(MARK) ? MARK + value : value;
  return mapParts(value, toExactJson);
}

export function fromExactJson(json: unknown): unknown {
  if (typeof json !== 'string') return mapParts(json, fromExactJson);
  if (!json.startsWith(MARK)) return json;
  const said = json.slice(MARK.length);
  if (said.startsWith(MARK)) return said;
  return said === 'undefined' ? undefined : Number(said);
}

const MARK = '~';

/** What has nothing to change in it is not made again: nearly all of a board is like that. */
function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value.map(map);
    return parts.some((part, at) => part !== value[at]) ? parts : value;
  }
  const changed: [key: string, part: unknown][] = [];
  for (const key of Object.keys(value)) {
    const part: unknown = Reflect.get(value, key);
    const mapped = map(part);
    if (mapped !== part) changed.push([key, mapped]);
  }
  // Keys are the user's, `__proto__` among them, so that nothing is assigned.
  return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
}

/** JSON writes -0 as 0. */
function saysNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
