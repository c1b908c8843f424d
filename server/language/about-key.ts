import type { KeyFacts } from '../plans/schema/describe.ts';

/** All there is to say about a key, in Markdown. */
export function aboutKey({
  name,
  summary,
  detail,
  example,
  default: byDefault,
  isLater,
  values,
}: KeyFacts): string {
  const words = values.map((word) => `- \`${word.text}\`: ${word.summary}`);
  const parts = [
    summary,
    detail,
    words.join('\n'),
    byDefault === undefined ? '' : `Left out: ${asWritten(byDefault)}.`,
    isLater ? 'This version does not act on it yet.' : '',
    `\`\`\`yaml\n${name}:${example.startsWith('\n') ? '' : ' '}${example}\n\`\`\``,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A default is a value or words. */
function asWritten(text: string): string {
  return text.includes(' ') && !/^[[{]/.test(text) ? text : `\`${text}\``;
}
