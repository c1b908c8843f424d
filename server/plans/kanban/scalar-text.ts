export type ScalarStyle = 'plain' | 'single' | 'double';

/** Whatever reads it, it is a text: no number, no time, no `:` or `#` that would mean something. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_./@+-]*(?: [\p{L}\p{N}_./@+(-][\p{L}\p{N}_./@+()-]*)*$/u;
/** Some reader of YAML takes each of these for something else than a text. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n|nan|inf)$/i;
const UNPRINTABLE = /[^\u0020-\u007E\u00A0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/u;

/** A text as YAML, in the wanted quotes where it can have them. */
export function scalarText(text: string, style: ScalarStyle): string {
  if (style === 'plain' && PLAIN.test(text) && !WORDS.test(text)) return text;
  if (style === 'single' && !UNPRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const escaped = JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped;
}
