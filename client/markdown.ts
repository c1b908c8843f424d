/** Text of others in Markdown: nothing of it makes a mark, a link, a table or an icon. */
export function plainText(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~&$]/g, String.raw`\$&`).replaceAll('\n', ' ');
}

export function codeText(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
