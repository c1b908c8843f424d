/** No command that has a patch in it is longer; of a longer one only what stands there plainly is read. */
const COMMAND_LIMIT = 256 * 1024;

/** A shell in a shell takes quotes away twice; nobody nests deeper. */
const SHELLS_LIMIT = 2;

/**
 * A text, and what a shell would make of it if it were a command: its quotes are taken away, with the escapes
 * of `$'…'`, and where it prints something, with those of `printf` and `echo -e`. What is looked for may be
 * in any of them. This does not run nor understand a command: what a shell has to work out stays as it is.
 */
export function readingsOf(text: string): readonly string[] {
  if (text.length > COMMAND_LIMIT || !/['"\\]/.test(text)) return [text];
  // Neither a patch, nor anything that could be one when its escapes are taken away.
  if (!/patch|\\[0-7xu]/i.test(text)) return [text];
  const readings = [text];
  const prints = /\b(?:printf|echo|print)\b/.test(text);
  let command = text;
  for (let depth = 0; depth < SHELLS_LIMIT; depth += 1) {
    const inner = unquoted(command, undefined);
    // The words that are printed are lines, where the format says so.
    if (prints) readings.push(unescaped(unquoted(command, '\n')));
    if (inner === command) break;
    readings.push(inner);
    command = inner;
  }
  return [...new Set(readings)];
}

/** Without its quotes; `between` stands between two words, or else what stood there. */
function unquoted(command: string, between: string | undefined): string {
  return command.replaceAll(
    QUOTED,
    (whole: string, ...[ansi, single, double, plain]: readonly (string | undefined)[]) => {
      if (ansi !== undefined) return unescaped(ansi);
      if (single !== undefined) return single;
      if (double !== undefined) return double.replaceAll(/\\(?:\n|(["\\$`]))/g, '$1');
      if (plain !== undefined) return plain === '\n' ? '' : plain;
      return between ?? whole;
    },
  );
}

/** `$'…'`, `'…'`, `"…"`, an escaped character, or what stands between words. */
const QUOTED =
  /\$'((?:[^'\\]|\\[^])*)(?:'|$)|'([^']*)(?:'|$)|"((?:[^"\\]|\\[^])*)(?:"|$)|\\([^])|[ \t]+/g;

/** The escapes that `$'…'` and `printf` know. */
function unescaped(text: string): string {
  return text.replaceAll(
    ESCAPE,
    (whole: string, ...[octal, byte, short, long, sign]: readonly (string | undefined)[]) => {
      const digits = byte ?? short ?? long;
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8) & 0xff);
      if (digits !== undefined) {
        const code = Number.parseInt(digits, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      return SIGNS.get(sign ?? '') ?? sign ?? whole;
    },
  );
}

const ESCAPE =
  /\\(?:0?([0-7]{1,3})|x\{?([0-9a-fA-F]{1,2})\}?|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/g;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001B'],
  ['E', '\u001B'],
  ['f', '\f'],
  ['v', '\v'],
]);
