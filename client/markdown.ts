import { displayText } from '../picture/display-text.ts';

/** Text of others in Markdown: nothing of it makes a mark, a link, a table or an icon. */
export function plainText(text: string): string {
  return displayText(text).replaceAll(/[\\`*_{}[\]<>#|~&$]/g, String.raw`\$&`);
}

export function codeText(text: string): string {
  return `\`${displayText(text).replaceAll('`', "'")}\``;
}
