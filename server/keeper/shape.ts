/** What came is not what is needed. The message says where: `params.tasks[3].env.A: a string is needed`. */
export class ShapeError extends Error {
  constructor(at: string, need: string) {
    super(`${at}: ${need}`);
    this.name = 'ShapeError';
  }
}

/** Answers with a value of its own making that has nothing but what was asked for, or throws a `ShapeError`. */
export type Shape<T> = (value: unknown, at: string) => T;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Shaped<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> };

/** The names that an object has from elsewhere, so that whoever looks one up would find something. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Fields that nobody knows are left out, as a later version may send them. */
export function object<R extends Fields>(required: R): Shape<Shaped<R>>;
export function object<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
): Shape<Shaped<R> & Partial<Shaped<O>>>;
export function object(required: Fields, optional: Fields = {}): Shape<Shaped<Fields>> {
  const shapes = new Map(Object.entries({ ...required, ...optional }));
  const needed = Object.keys(required);
  return (value, at) => {
    const fields: [string, unknown][] = [];
    // In the order in which they came: whether two tasks are the same is told by their text.
    for (const [name, field] of fieldsOf(value, at)) {
      const shape = field === undefined ? undefined : shapes.get(name);
      if (shape !== undefined) fields.push([name, shape(field, `${at}.${name}`)]);
    }
    const read = Object.fromEntries(fields);
    for (const name of needed)
      if (!Object.hasOwn(read, name)) throw new ShapeError(`${at}.${name}`, 'this is missing');
    return read;
  };
}

/** One of several objects, by its `kind`. */
export function union<T>(shapes: Readonly<Record<string, Shape<T>>>): Shape<T> {
  const known = new Map(Object.entries(shapes));
  const kinds = word(...known.keys());
  return (value, at) => {
    const kind = fieldsOf(value, at).find(([name]) => name === 'kind')?.[1];
    const shape = known.get(kinds(kind, `${at}.kind`));
    if (shape === undefined) throw new ShapeError(at, 'nothing is known of this kind');
    return shape(value, at);
  };
}

export function list<T>(part: Shape<T>, most: number): Shape<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new ShapeError(at, 'a list is needed');
    if (value.length > most) throw new ShapeError(at, `there may be ${most} at most`);
    return Array.from(value, (each: unknown, index) => part(each, `${at}[${index}]`));
  };
}

/** An object with names of the sender's own choice. */
export function record<T>(
  name: Shape<string>,
  part: Shape<T>,
  most: number,
): Shape<Readonly<Record<string, T>>> {
  return (value, at) => {
    const sent = fieldsOf(value, at);
    if (sent.length > most) throw new ShapeError(at, `there may be ${most} at most`);
    return Object.fromEntries(
      sent.map(([key, field]) => {
        // It is said again in the message, however long it is.
        const where = `${at}.${key.slice(0, 64)}`;
        if (FORBIDDEN_NAMES.has(key)) throw new ShapeError(where, 'this name is not allowed');
        return [name(key, where), part(field, where)];
      }),
    );
  };
}

export function text(longest: number): Shape<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw new ShapeError(at, 'a string is needed');
    if (value.length > longest)
      throw new ShapeError(at, `there may be ${longest} characters at most`);
    // Half a character would come back from the disk as another, and no command is given a NUL.
    if (!value.isWellFormed() || value.includes('\0'))
      throw new ShapeError(at, 'this has characters that no text has');
    return value;
  };
}

/** Text that some parser understands. */
export function parsed<T>(
  parse: (text: string) => T | undefined,
  { longest, need }: { readonly longest: number; readonly need: string },
): Shape<T> {
  const sent = text(longest);
  return (value, at) => {
    const result = parse(sent(value, at));
    if (result === undefined) throw new ShapeError(at, need);
    return result;
  };
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

export function whole({ from, to }: Bounds): Shape<number> {
  const inBounds = number({ from, to });
  return (value, at) => {
    if (!Number.isSafeInteger(value)) throw new ShapeError(at, 'a whole number is needed');
    return inBounds(value, at);
  };
}

/** JSON text can say numbers that are infinite: `1e999`. */
export function number({ from, to }: Bounds): Shape<number> {
  return (value, at) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ShapeError(at, 'a number is needed');
    if (value < from || value > to)
      throw new ShapeError(at, `a number from ${from} to ${to} is needed`);
    // The disk does not know -0.
    return value + 0;
  };
}

export const boolean: Shape<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new ShapeError(at, 'true or false is needed');
  return value;
};

export function word<const T extends string>(...words: readonly T[]): Shape<T> {
  return (value, at) => {
    const found = words.find((each) => each === value);
    if (found === undefined)
      throw new ShapeError(at, `one of these is needed: ${words.join(', ')}`);
    return found;
  };
}

function fieldsOf(value: unknown, at: string): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError(at, 'an object is needed');
  return Object.entries(value);
}
