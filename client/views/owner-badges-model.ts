import * as l10n from '@vscode/l10n';
import type { OwnedPath } from '../../protocol/ownership.ts';

/** How a file or folder that somebody writes is marked; the colour is one of VS Code's own. */
export interface OwnerBadge {
  /** Two characters at most. */
  readonly badge: string;
  readonly color: string;
  readonly tooltip: string;
}

/** A pencil is somebody else; what the person has themselves stays quiet. */
export function ownerBadge({ isOwn, isPart, sentences }: OwnedPath): OwnerBadge {
  const said = sentences.join(' · ');
  return {
    badge: isPart ? '•' : isOwn ? l10n.t('me') : '✎',
    color: isOwn ? 'descriptionForeground' : 'list.warningForeground',
    tooltip: isPart ? l10n.t('In this folder: {0}', said) : said,
  };
}
