import { displayText } from '../picture/display-text.ts';

/**
 * Text with names of files, tasks and workers as a message may show it. The editor makes a link of
 * `[words](command:…)`, and a file can be called so.
 */
export function withoutLinks(text: string): string {
  return displayText(text).replaceAll('](', '] (');
}

/** The same for a row of a list to choose from, and the status bar: there `$(name)` would be a picture. */
export function withoutIcons(text: string): string {
  return displayText(text).replaceAll('$(', String.raw`\$(`);
}
