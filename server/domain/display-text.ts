/** As much of a text as people read in a line with others. */
export function inShort(text: string, length = 200): string {
  if (text.length <= length) return text;
  // Half a character is none.
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Text of a plan as it may reach a screen: what controls, turns or breaks a line could forge it. */
export function displayText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
