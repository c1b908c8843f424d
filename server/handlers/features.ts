import type { Feature } from './feature.ts';
import { foldingFeature } from './folding.ts';

/** All of them; each is offered and registered without the server knowing which it is. */
export const FEATURES: readonly Feature[] = [foldingFeature];
