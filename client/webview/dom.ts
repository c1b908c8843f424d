import type { Shape } from '../../picture/shape.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Elements of a shape: what is in it is set as text, so that nothing of it is ever read as markup. */
export function elementOf({ tag, attributes, children }: Shape): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children)
    element.append(typeof child === 'string' ? child : elementOf(child));
  return element;
}

/** An element of the page, with its attributes and its text. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(
  words: string,
  { hint, act }: { readonly hint: string; readonly act: () => void },
): HTMLButtonElement {
  const element = html('button', { type: 'button', title: hint }, [words]);
  element.addEventListener('click', act);
  return element;
}

/** Does something with the next picture of the screen, however often it is asked to. */
export function onNextFrame(act: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      act();
    });
  };
}
