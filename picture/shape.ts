/** A part of a picture, whoever draws it: an element of SVG with its attributes, and what is in it. */
export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

export function shape(
  tag: string,
  attributes: Shape['attributes'] = {},
  children: Shape['children'] = [],
): Shape {
  return { tag, attributes, children };
}

/**
 * As text of XML. Tags and names of attributes are ours; whatever else is in a picture may come from
 * anybody, and is escaped.
 */
export function toXml({ tag, attributes, children }: Shape): string {
  const said = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
  if (children.length === 0) return `<${tag}${said}/>`;
  const inside = children
    .map((child) => (typeof child === 'string' ? escaped(child) : toXml(child)))
    .join('');
  return `<${tag}${said}>${inside}</${tag}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What no document of XML may have: most control characters, halves of characters, U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu;

function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');
}
