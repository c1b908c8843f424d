/**
 * A name of a plan, a file or a folder as it may be shown: what it looks like is what it is. What
 * controls, turns or breaks a line could forge that. Of titles and details the server has taken them already, by the
 * same rule.
 */
export function displayText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
