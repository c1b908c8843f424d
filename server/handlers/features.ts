import { boardFolderFeature } from './board-folder.ts';
import { codeActionFeature } from './code-actions.ts';
import { codeLensFeature } from './code-lens.ts';
import { completionFeature } from './completion.ts';
import { definitionFeature } from './definition.ts';
import { diagnosticsFeature } from './diagnostics.ts';
import type { Feature } from './feature.ts';
import { foldingFeature } from './folding.ts';
import { formattingFeature } from './formatting.ts';
import { hoverFeature } from './hover.ts';
import { inlayHintFeature } from './inlay-hints.ts';
import { linksFeature } from './links.ts';
import { logsFeature } from './logs.ts';
import { newPlansFeature } from './new-plans.ts';
import { pictureFeature } from './pictures.ts';
import { referencesFeature } from './references.ts';
import { renameFeature } from './rename.ts';
import { runControlFeature } from './run-control.ts';
import { selectionFeature } from './selection.ts';
import { symbolsFeature } from './symbols.ts';
import { commandFeature } from './task-commands.ts';
import { terminalFeature } from './terminals.ts';
import { tokensFeature } from './tokens.ts';

/** All of them; each is offered and registered without the server knowing which it is. */
export const FEATURES: readonly Feature[] = [
  diagnosticsFeature,
  completionFeature,
  hoverFeature,
  definitionFeature,
  referencesFeature,
  renameFeature,
  symbolsFeature,
  foldingFeature,
  formattingFeature,
  selectionFeature,
  linksFeature,
  tokensFeature,
  codeActionFeature,
  codeLensFeature,
  inlayHintFeature,
  commandFeature,
  terminalFeature,
  logsFeature,
  runControlFeature,
  newPlansFeature,
  boardFolderFeature,
  pictureFeature,
];
