import { html } from './dom.ts';

const MARGIN = 12;

/**
 * What the thing under the pointer is, in words: those that its shape carries as a title. A browser
 * shows titles by itself, late and small; so they are taken out of the shapes.
 */
export class Hint {
  readonly element = html('div', { class: 'hint', 'aria-hidden': 'true' });

  constructor(area: HTMLElement) {
    area.addEventListener('pointermove', (event) => this.#show(event));
    area.addEventListener('pointerleave', () => this.hide());
    area.addEventListener('pointerdown', () => this.hide());
  }

  hide(): void {
    this.element.textContent = '';
  }

  #show({ target, clientX, clientY, buttons }: PointerEvent): void {
    const words = buttons === 0 ? wordsAt(target) : undefined;
    this.element.textContent = words ?? '';
    if (words === undefined) return;
    const { width, height } = this.element.getBoundingClientRect();
    const left = Math.min(clientX + MARGIN, window.innerWidth - width - 4);
    const below = clientY + MARGIN;
    const top = below + height > window.innerHeight ? clientY - height - MARGIN : below;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }
}

function wordsAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('[data-hint]')?.getAttribute('data-hint') ?? undefined;
}

/** The titles of shapes as what the hint shows. */
export function takeTitles(element: Element): void {
  for (const title of element.querySelectorAll('title')) {
    title.parentElement?.setAttribute('data-hint', title.textContent ?? '');
    title.remove();
  }
}
