import { type MarkupContent, MarkupKind } from 'vscode-languageserver';
import { withoutMarkdown } from '../language/markdown.ts';

const KINDS: ReadonlySet<unknown> = new Set([MarkupKind.Markdown, MarkupKind.PlainText]);

/** In the form that a client likes best of those that it takes: a text, where it does not say. */
export function toMarkup(
  markdown: string,
  formats: readonly MarkupKind[] | undefined,
): MarkupContent {
  const known: readonly unknown[] = Array.isArray(formats) ? formats : [];
  const liked = known.find((format) => KINDS.has(format));
  return liked === MarkupKind.Markdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: withoutMarkdown(markdown) };
}
