// Faults that are planted in the scheduler and the engine, one at a time. The simulator must find each of them.
import { MUTANTS_ACROSS_PLANS } from './mutants-across-plans.mjs';
import { MUTANTS_AT_HOSTS } from './mutants-at-hosts.mjs';
import { MUTANTS_IN_DECISIONS } from './mutants-in-decisions.mjs';
import { MUTANTS_IN_DOMAIN } from './mutants-in-domain.mjs';
import { MUTANTS_IN_ENGINE } from './mutants-in-engine.mjs';
import { MUTANTS_IN_MODEL } from './mutants-in-model.mjs';
import { MUTANTS_IN_PREDICATE } from './mutants-in-predicate.mjs';

/** @type {readonly import('./planting.mjs').Mutant[]} */
export const MUTANTS = [
  ...MUTANTS_IN_DOMAIN,
  ...MUTANTS_IN_MODEL,
  ...MUTANTS_IN_PREDICATE,
  ...MUTANTS_IN_DECISIONS,
  ...MUTANTS_IN_ENGINE,
  ...MUTANTS_ACROSS_PLANS,
  ...MUTANTS_AT_HOSTS,
];
