import * as z from 'zod/mini';
import { inShort } from '../../domain/display-text.ts';
import { backwardRange } from '../../domain/paths/glob.ts';
import { parsePattern } from '../../domain/paths/path-set.ts';
import { refusePath } from '../../domain/paths/relative-path.ts';
import { didYouMean } from '../closest.ts';
import { portabilityWarning } from '../portable-path.ts';
import { parseDuration, parseSize } from '../quantities.ts';
import { warned, type Warning, written } from './facts.ts';

/**
 * The forms that a value may have. A sentence says `{key}` where the key stands that the value is
 * read for. Whoever reads gives a schema the characters of a scalar, or its value where it is
 * `written` so.
 */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const CAPABILITY = /^[A-Za-z0-9][\w.@:/+-]{0,63}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOST = /^[A-Za-z0-9][\w.@:-]{0,252}$/;
const DURATION = /^(?=.)(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?$/;
const SIZE = /^\d+[KMG]iB$/;
/** This machine. */
const LOCAL = 'local';
const TEXT_LIMIT_BYTES = 256 * 1024;
const LONGEST_DURATION_MS = 365 * 24 * 60 * 60 * 1000;

/** Which sort of mistake a refused value is, where it is no plain one; `key`: its key is to be marked. */
export type RefusalSort = 'path' | 'length' | 'id' | 'key' | 'plain';

/** Some check says why a text is refused, or nothing. */
function refusing(
  why: (text: string) => string | undefined,
  sort: RefusalSort = 'plain',
): z.core.$ZodCheck<string> {
  return z.check<string>(({ value, issues }) => {
    const message = why(value);
    if (message !== undefined)
      issues.push({ code: 'custom', input: value, message, params: { sort } });
  });
}

const TEXT = '"{key}" is a text.';
const ANY_SCALAR = { type: ['string', 'number', 'boolean'] };

function refuseNul(some: string): string | undefined {
  return some.includes('\0') ? '"{key}" cannot contain a NUL character.' : undefined;
}

/** Numbers and `true` count as the characters they are written with. */
export function text(): z.ZodMiniString {
  return written(z.string(TEXT).check(refusing(refuseNul)), 'text', ANY_SCALAR);
}

/** Prose: a text with a limit, which is marked at its key, since the text is long. */
export function longText(what: string): z.ZodMiniString {
  const isTooLong = (long: string): string | undefined =>
    Buffer.byteLength(long) > TEXT_LIMIT_BYTES ? `${what} has at most 256 KiB.` : undefined;
  const schema = text().check(refusing(isTooLong, 'length'));
  return written(schema, 'text', ANY_SCALAR);
}

/** A text with a rule, which is all there is to say when it is broken. */
function ruled(pattern: RegExp, rule: string, sort?: RefusalSort): z.ZodMiniString {
  const breaks = (some: string): string | undefined => (pattern.test(some) ? undefined : rule);
  return written(z.string(TEXT).check(refusing(refuseNul), refusing(breaks, sort)), 'text', {
    ...ANY_SCALAR,
    pattern: pattern.source,
  });
}

export function capability(): z.ZodMiniString {
  return ruled(
    CAPABILITY,
    'A capability starts with a letter or digit and has at most 64 of: letters, digits, "_" "." "@" ":" "/" "+" "-".',
  );
}

export function taskId(): z.ZodMiniString {
  return ruled(
    NAME,
    'An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
    'id',
  );
}

export function agentName(): z.ZodMiniString {
  return ruled(
    NAME,
    'The name of an agent starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
    'id',
  );
}

export function host(): z.ZodMiniString {
  const rule = 'A host is named with letters, digits, "." "_" "-" "@" ":".';
  return warned(ruled(HOST, rule), slipOfLocal);
}

/** Which hosts there are is the user's own; only one name is known to everybody. */
function slipOfLocal(name: string): Warning | undefined {
  const hint = name === LOCAL ? '' : didYouMean(name, [LOCAL]);
  if (hint === '') return undefined;
  return { code: 'unknown-host', message: `"${name}" is taken for a host of yours.${hint}` };
}

export function limitName(): z.ZodMiniString {
  return ruled(
    NAME,
    'The name of a limit starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
    'id',
  );
}

function refuseOurs(name: string): string | undefined {
  return name.startsWith('INTERLOCK_')
    ? 'Names that start with INTERLOCK_ are set by Interlock itself.'
    : undefined;
}

export function variable(): z.ZodMiniString {
  const rule = 'A variable name has letters, digits and "_", and no digit first.';
  const schema = ruled(VARIABLE, rule).check(refusing(refuseOurs));
  return written(schema, 'text', { type: 'string', pattern: VARIABLE.source });
}

function refuseFolder(path: string): string | undefined {
  return path === '.' ? undefined : refusePath(path);
}

function refusePattern(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  return parsed.kind === 'refused' ? parsed.message : undefined;
}

function notPortable(path: string): Warning | undefined {
  const message = portabilityWarning(path);
  return message === undefined ? undefined : { code: 'not-portable', message };
}

/** A class whose range runs from a later character to an earlier one is read as if it did not. */
function backwards(pattern: string): Warning | undefined {
  const range = backwardRange(pattern);
  if (range === undefined) return undefined;
  const [first, last] = [range.first, range.last];
  const message = `In "${inShort(range.text, 64)}" the range "${first}-${last}" runs backwards, and is read as "${last}-${first}".`;
  return { code: 'contradiction', message };
}

/** A folder of the workspace; `.` is the folder of all. */
export function folder(): z.ZodMiniString {
  const schema = text().check(refusing(refuseFolder, 'path'));
  return warned(written(schema, 'text', ANY_SCALAR), notPortable);
}

export function glob(): z.ZodMiniString {
  const schema = text().check(refusing(refusePattern, 'path'));
  return warned(
    written(schema, 'text', ANY_SCALAR),
    (pattern) => backwards(pattern) ?? notPortable(pattern),
  );
}

export function list<Item extends z.core.SomeType>(item: Item, of: string): z.ZodMiniArray<Item> {
  return z.array(item, {
    error: ({ input }) => {
      const hint = typeof input === 'string' ? ` Put it in brackets: [${inShort(input, 64)}].` : '';
      return `"{key}" is a list of ${of}.${hint}`;
    },
  });
}

/** One of a few words; `also` are understood, but not the ones to be told about. */
export function word<Word extends string, Other extends string = never>(
  words: readonly Word[],
  also: readonly Other[] = [],
): z.ZodMiniEnum<{ [Each in Word | Other]: Each }> {
  const choice = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  const all = [...words, ...also];
  return z.enum(all, {
    error: ({ input }) =>
      `"{key}" is ${choice}.${typeof input === 'string' ? didYouMean(input, all) : ''}`,
  });
}

/** The words of some facts, for `word`. */
export function wordsOf<Word extends string>(
  facts: readonly { readonly text: Word }[],
): readonly Word[] {
  return facts.map((fact) => fact.text);
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A whole number. */
export function count({ from, to }: Bounds): z.ZodMiniNumber {
  const rule = `"{key}" is a number from ${from} to ${to}.`;
  return written(
    z.int('"{key}" is a whole number.').check(z.gte(from, rule), z.lte(to, rule)),
    'value',
    { type: 'integer', minimum: from, maximum: to },
  );
}

/** There is one version of the language so far. */
export function version(): z.ZodMiniNumber {
  const rule = 'This is read as version 1: "version: 1".';
  const schema = z.int('"{key}" is a whole number.').check(z.refine((it) => it === 1, rule));
  return written(schema, 'value', { const: 1 });
}

/** A number, whole or not. */
export function number({ from, to }: Bounds): z.ZodMiniNumber {
  const rule = `"{key}" is a number from ${from} to ${to}.`;
  return written(z.number(rule).check(z.gte(from, rule), z.lte(to, rule)), 'value', {
    type: 'number',
    minimum: from,
    maximum: to,
  });
}

const LAST_EXIT_CODE = 2 ** 32 - 1;

/** Zero is no failure; Windows has codes of 32 bits. */
export function exitCode(): z.ZodMiniNumber {
  const rule = `The exit code of a failure is a whole number from 1 to ${LAST_EXIT_CODE}.`;
  return written(z.int(rule).check(z.gte(1, rule), z.lte(LAST_EXIT_CODE, rule)), 'value', {
    type: 'integer',
    minimum: 1,
    maximum: LAST_EXIT_CODE,
  });
}

/** Milliseconds. */
export type DurationSchema = z.ZodMiniPipe<z.ZodMiniString, z.ZodMiniTransform<number, string>>;

/** A length of time; it may be none. */
export function duration(): DurationSchema {
  return durationThat(() => undefined);
}

/** A length of time that something may last. */
export function timeLimit(): DurationSchema {
  return durationThat((ms) => (ms === 0 ? '"{key}" is longer than nothing.' : undefined));
}

/** With one more rule, for whatever is a duration. */
export function durationThat(why: (ms: number) => string | undefined): DurationSchema {
  const rule = '"{key}" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.';
  const schema = z.pipe(
    z.string(rule),
    z.transform((input: string, { issues }) => {
      const durationMs = parseDuration(input);
      const hint = /^[1-9]\d{0,5}$/.test(input) ? ` Did you mean "${input}s"?` : '';
      const refusal =
        durationMs === undefined
          ? `${rule}${hint}`
          : durationMs > LONGEST_DURATION_MS
            ? '"{key}" is at most 365d.'
            : why(durationMs);
      if (refusal !== undefined) issues.push({ code: 'custom', input, message: refusal });
      return durationMs ?? 0;
    }),
  );
  return written(schema, 'text', { type: 'string', pattern: DURATION.source });
}

const SIZE_RULE = 'a size: 512KiB, 2MiB, 16GiB';

/** How much there is of something, or is taken of it; a size is in bytes. */
interface Quantity {
  readonly amount: number;
  readonly isSize: boolean;
}

export type QuantitySchema = z.ZodMiniPipe<z.ZodMiniUnknown, z.ZodMiniTransform<Quantity>>;

const NUMBER_JSON = { type: 'number', minimum: 0 };
const SIZE_JSON = { type: 'string', pattern: SIZE.source };

/** Processors: a number, and no size. */
export function processors(): QuantitySchema {
  return quantity('a number, 0 or more', ({ isSize }) => !isSize, NUMBER_JSON);
}

/** A size in `KiB`, `MiB` or `GiB`. */
export function size(): QuantitySchema {
  return quantity(SIZE_RULE, ({ isSize }) => isSize, SIZE_JSON);
}

/** A number of things, or a size. */
export function amount(): QuantitySchema {
  const json = { anyOf: [NUMBER_JSON, SIZE_JSON] };
  return quantity(`a number, 0 or more, or ${SIZE_RULE}`, () => true, json);
}

function quantity(
  rule: string,
  isOfKind: (quantity: Quantity) => boolean,
  json: Readonly<Record<string, unknown>>,
): QuantitySchema {
  const schema = z.pipe(
    z.unknown(),
    z.transform((input: unknown, { issues }) => {
      const read = readQuantity(input);
      if (read === undefined || !isOfKind(read))
        issues.push({ code: 'custom', input, message: `"{key}" is ${rule}.` });
      return read ?? { amount: 0, isSize: false };
    }),
  );
  return written(schema, 'value', json);
}

function readQuantity(value: unknown): Quantity | undefined {
  const bytes = typeof value === 'string' ? parseSize(value) : undefined;
  const found = typeof value === 'number' ? value : bytes;
  if (found === undefined || !(found >= 0 && found <= Number.MAX_SAFE_INTEGER)) return undefined;
  return { amount: found, isSize: bytes !== undefined };
}
