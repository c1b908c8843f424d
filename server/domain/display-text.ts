/** As much of a text as people read in a line with others. */
export function inShort(text: string, length = 200): string {
  if (text.length <= length) return text;
  // Half a character is none.
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * A line as it may reach a screen. Names of files, folders and hosts may hold line breaks, escape sequences
 * and marks that turn the direction of text; each becomes a visible escape, as `\u{a}` for a line break, so
 * that no name forges a line, and no two different names look alike because of them. Applied once, where a
 * line is printed: a second time would escape the escapes.
 */
export function displayLine(line: string): string {
  // A backslash that would be read as the beginning of such an escape is one itself.
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\\(?=u\{)/gu,
    (part) => `\\u{${part.codePointAt(0)!.toString(16)}}`,
  );
}

/** Text of a plan as it may reach a screen: what controls, turns or breaks a line could forge it. */
export function displayText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
