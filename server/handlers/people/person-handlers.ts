import { registerOwnerBadges } from '../ownership/owner-badges.ts';
import { registerClaims } from './claims.ts';
import { registerReleaseAsks } from './release-asks.ts';
import type { PersonParts } from './person-parts.ts';
import { Renewals } from './renewals.ts';
import { registerWhy } from './why.ts';
import { registerWorkerActions } from './worker-actions.ts';
import { WorkersFeed } from './workers-feed.ts';

/** What the person before a window is shown of the others at work, and does among them. */
export function registerPersonHandlers(parts: PersonParts): void {
  registerOwnerBadges(parts);
  registerWorkerActions(parts);
  registerClaims(parts);
  registerReleaseAsks(parts);
  registerWhy(parts);
  new Renewals(parts).follow();
  new WorkersFeed(parts).follow();
}
