import * as l10n from '@vscode/l10n';
import { button, html } from './dom.ts';
import type { FromPage, PictureState } from './messages.ts';
import { THEME } from './theme-palette.ts';
import type { Palette } from '../../picture/palette.ts';

/** What a picture has of the page that it is in. */
export interface Page {
  readonly post: (message: FromPage) => void;
  readonly remember: (state: PictureState) => void;
  /** Tells whoever cannot see it. */
  readonly announce: (words: string) => void;
}

/** One kind of picture. */
export interface PictureView {
  /** What stands above the picture, and the picture. */
  readonly elements: readonly HTMLElement[];
  readonly focus: () => void;
  /** The whole picture as a file, in the colours of the theme. */
  readonly file: () => { readonly name: string; readonly svg: string };
}

/** Above a picture: what it is of, a field to search in it, and what can be done. */
export class Toolbar {
  readonly element = html('div', { class: 'bar-of-tools', role: 'toolbar' });
  readonly filter = html('input', { class: 'filter', type: 'search' });
  readonly #title = html('span');
  readonly #more = html('span', { class: 'more' });

  constructor(parts: {
    readonly label: string;
    readonly search: string;
    readonly buttons: readonly HTMLElement[];
  }) {
    const heading = html('div', { class: 'heading', role: 'heading', 'aria-level': '1' }, [
      this.#title,
      this.#more,
    ]);
    this.element.setAttribute('aria-label', parts.label);
    this.filter.placeholder = parts.search;
    this.filter.setAttribute('aria-label', parts.search);
    this.element.append(heading, this.filter, ...parts.buttons);
  }

  say(title: string, more: string): void {
    this.#title.textContent = title;
    this.#more.textContent = more;
    document.title = title;
  }
}

/** How much larger a picture gets with each step. */
export const ZOOM = 1.25;

export function zoomButtons(zoom: (factor: number) => void): readonly HTMLButtonElement[] {
  return [
    button('−', { hint: l10n.t('Zoom out (-)'), act: () => zoom(1 / ZOOM) }),
    button('+', { hint: l10n.t('Zoom in (+)'), act: () => zoom(ZOOM) }),
  ];
}

/** Does what a key stands for. Combinations are for the editor. */
export function actOnKey(event: KeyboardEvent, acts: Readonly<Record<string, () => void>>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]?.();
}

/** The colours that the theme has now, for a file that is to look the same elsewhere. */
export function resolvedPalette(): Palette {
  const probe = html('span');
  document.body.append(probe);
  const entries = Object.entries(THEME).map(([name, value]) => {
    const property = name === 'font' ? 'fontFamily' : 'color';
    probe.style[property] = value;
    return [name, getComputedStyle(probe)[property]] as const;
  });
  probe.remove();
  return { ...THEME, ...Object.fromEntries(entries) };
}

/** By what is behind it in menus: commands get it as their argument. */
export function menuContext(task: { folderUri: string; plan: string; id: string }): string {
  return JSON.stringify({ webviewSection: 'task', preventDefaultContextMenuItems: true, ...task });
}

/** The keys of both pictures, for the help that a screen reader reads. */
export function keyWords(): string {
  return l10n.t(
    'Arrow keys move, Enter opens the task in its plan, L its log, plus and minus zoom, 0 shows all, slash searches.',
  );
}
