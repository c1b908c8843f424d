export interface RedactOptions {
  /** Values of environment variables never leave the machine; commands and texts only where wanted. */
  readonly level: 'environment' | 'all';
  readonly hash: (text: string) => string;
}

/** Keys under which a plan's own text stands, wherever a definition of a task is kept. */
const TEXT_KEYS = new Set(['script', 'file', 'title', 'prompt', 'description', 'message']);

/** The same values with what may be secret taken out. Nothing that decides depends on it. */
export function redact(value: unknown, options: RedactOptions): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, options));
  // Keys are the user's, `__proto__` among them, so that nothing is assigned.
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, redactPart(key, part, options)]),
  );
}

function redactPart(key: string, part: unknown, options: RedactOptions): unknown {
  // Short values could be guessed from a hash.
  if (key === 'env') return mapTexts(part, (text) => `(${text.length} characters)`);
  if (options.level === 'all') {
    const digest = (text: string): string =>
      text === '' ? '' : `(${text.length} characters, ${options.hash(text).slice(0, 12)})`;
    if (key === 'args' || (TEXT_KEYS.has(key) && typeof part === 'string'))
      return mapTexts(part, digest);
  }
  return redact(part, options);
}

/** Every text in it, whatever it is called. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, map)]));
}
