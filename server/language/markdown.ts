import { displayText, inShort } from '../domain/display-text.ts';

/** What makes links, images, HTML, entities and emphasis. */
const SPECIAL = /[\\`*_[\]<>&~|]/g;
/** What makes headings, lists and quotes of a line; the rest of those is special everywhere. */
const LINE_START = /^(?:[#+=-]|\d+(?=[.)]))/;

/**
 * Text of a plan in Markdown that shows it as it is: a plan of somebody else must not bring images,
 * which an editor would load, or links that say something else than where they lead.
 */
export function plainText(text: string): string {
  return displayText(text)
    .replaceAll(SPECIAL, String.raw`\$&`)
    .replace(LINE_START, (start) => (/^\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** The first line of a text in backticks, more of them than it has in a row. */
export function codeText(text: string): string {
  const line = inShort(displayText(text.trim().split('\n')[0] ?? ''));
  const longest = longestRun(line);
  if (longest === 0) return `\`${line}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

/** A text of several lines between fences that are longer than any in it; long ones are cut. */
export function codeBlock(text: string, language: string): string {
  const all = text.trimEnd().split(/\r?\n/);
  const lines = all.slice(0, BLOCK_LINES).map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return inShort(indent + displayText(line));
  });
  const shown = [...lines, ...(all.length > lines.length ? ['…'] : [])].join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

const BLOCK_LINES = 10;

function longestRun(text: string): number {
  const runs = text.match(/`+/g) ?? [];
  return Math.max(0, ...runs.map(({ length }) => length));
}

const BLOCK = /^(`{3,})\w*\n([\s\S]*?)\n\1$/gm;
/** Code, a character that would mean something else, and what begins and ends bold text. */
const MARKS = /(`+)( ?)(.+?)\2\1(?!`)|\\([^A-Za-z\d\s])|\*\*/g;

/** What our own Markdown says, for whoever shows it as it is written. */
export function withoutMarkdown(markdown: string): string {
  // Split at blocks, the parts come in threes: a text, the fence and what is in it, where nothing is a mark.
  const parts = markdown.split(BLOCK);
  return parts.map((part, at) => [withoutMarks(part), '', part][at % 3]).join('');
}

function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, '$3$4');
}
