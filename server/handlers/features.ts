import { definitionFeature } from './definition.ts';
import type { Feature } from './feature.ts';
import { foldingFeature } from './folding.ts';
import { linksFeature } from './links.ts';
import { referencesFeature } from './references.ts';
import { renameFeature } from './rename.ts';
import { selectionFeature } from './selection.ts';
import { symbolsFeature } from './symbols.ts';
import { tokensFeature } from './tokens.ts';

/** All of them; each is offered and registered without the server knowing which it is. */
export const FEATURES: readonly Feature[] = [
  definitionFeature,
  referencesFeature,
  renameFeature,
  symbolsFeature,
  foldingFeature,
  selectionFeature,
  linksFeature,
  tokensFeature,
];
