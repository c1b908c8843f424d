/**
 * A text of others as it may be shown. What
 * controls, turns or breaks a line could forge that. Of titles and details the server has taken them already, by the
 * same rule.
 */
export function displayText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/**
 * A name of a plan, a file or a folder, in which nothing is hidden: what controls, turns or breaks a line
 * becomes a visible escape, so that no two different names look alike because of it. The server has the
 * same rule for its lines.
 */
export function displayName(name: string): string {
  return name.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\\(?=u\{)/gu,
    (part) => `\\u{${part.codePointAt(0)!.toString(16)}}`,
  );
}
