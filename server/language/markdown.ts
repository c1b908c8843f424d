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
  const runs = line.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${line}\``;
  const fence = '`'.repeat(Math.max(...runs.map(({ length }) => length)) + 1);
  return `${fence} ${line} ${fence}`;
}
