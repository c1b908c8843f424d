import type { YamlScalar } from './tree.ts';

const SPECIAL_FIRST = /^[!&*?|>@%"'{}[\]#,`-]/;
const SPECIAL_INSIDE = /: |\s#|:$|^\s|\s$/;
const SPECIAL_IN_BRACKETS = /[,[\]{}]/;
/** These words are no texts; of numbers and truth, which are no texts either, plans read the text. */
const NOTHING = /^(?:null|Null|NULL|~)$/;

/** How a text is written as a value or item: in quotes where it needs them, or where it has some. */
export function written(
  text: string,
  { style, isInBrackets }: Pick<YamlScalar, 'style'> & { readonly isInBrackets: boolean },
): string {
  if (style === 'single') return `'${text.replaceAll("'", "''")}'`;
  const isPlain =
    style !== 'double' &&
    text !== '' &&
    !NOTHING.test(text) &&
    !SPECIAL_FIRST.test(text) &&
    !SPECIAL_INSIDE.test(text) &&
    !(isInBrackets && SPECIAL_IN_BRACKETS.test(text));
  return isPlain ? text : JSON.stringify(text);
}
