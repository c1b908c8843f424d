import * as l10n from '@vscode/l10n';
import { lineItems } from '../../picture/graph-file.ts';
import { shape } from '../../picture/shape.ts';
import { elementOf, html } from './dom.ts';

/** What the lines of a graph mean. */
export function graphLegend(): HTMLElement {
  const items = lineItems().map(({ words, sample }) => {
    const svg = elementOf(shape('svg', { width: 28, height: 16, 'aria-hidden': 'true' }, [sample]));
    return html('span', {}, [svg, words]);
  });
  return html('div', { class: 'legend', 'aria-label': l10n.t('What the lines mean') }, items);
}
