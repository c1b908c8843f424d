/** Where the parts of a task file are. */
export interface Frontmatter {
  /** Behind the line `---`. */
  readonly start: number;
  /** Where the closing line `---` begins. */
  readonly end: number;
  /** The prose below it, without the empty lines in front. */
  readonly bodyStart: number;
}

const OPENING = /^\uFEFF?---\r?\n/;
/** What may stand behind the `---` that closes. */
const LINE_END = /^(?:\r?\n|\r?$)/;

/** Nothing where the text does not begin with a frontmatter that ends. */
export function findFrontmatter(text: string): Frontmatter | undefined {
  const start = OPENING.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  for (let at = text.indexOf('\n---', start - 1); at >= 0; at = text.indexOf('\n---', at + 1)) {
    const lineEnd = LINE_END.exec(text.slice(at + 4, at + 6));
    if (lineEnd === null) continue;
    let bodyStart = at + 4 + lineEnd[0].length;
    while (text[bodyStart] === '\n' || text[bodyStart] === '\r') bodyStart += 1;
    return { start, end: at + 1, bodyStart };
  }
  return undefined;
}

export function opensFrontmatter(text: string): boolean {
  return OPENING.test(text);
}
