import { personName } from '../../board/file-claim-text.ts';
import { claimsOf, endClaim } from '../../board/person-claims.ts';
import type { LedgerEntry } from '../../engine/store-port.ts';
import type { Folder } from '../folder.ts';
import { showMessagesIn } from '../ownership/ownership-handlers.ts';
import type { PersonParts } from './person-parts.ts';

type ReleaseAsked = Extract<LedgerEntry['event'], { kind: 'releaseAsked' }>;

const RELEASE = 'Release';
const NOT_NOW = 'Not Now';

/** Somebody asks for a file that a task of this person has; of buffers the file itself speaks. */
export function registerReleaseAsks(parts: PersonParts): void {
  const { workspace, connection } = parts;
  workspace.onNews((entries) => {
    for (const { event } of entries)
      if (event.kind === 'releaseAsked' && event.owner.kind === 'task')
        offer(event, parts).catch((error: unknown) => connection.console.error(String(error)));
  });
}

async function offer(
  { owner, worker, path }: ReleaseAsked,
  { connection, live, workspace, world }: PersonParts,
): Promise<void> {
  const { person, worker: window } = live.window;
  if (owner.kind !== 'task' || worker === window) return;
  const found = workspace.folders.flatMap((folder): readonly [Folder, string][] => {
    const open = folder.board.live;
    const claim =
      open &&
      claimsOf(open, person).find(
        ({ entry: { id, run } }) => id === owner.task && run.manifest.id === owner.run,
      );
    const isHere = claim?.entry.run.manifest.root === folder.board.root;
    return isHere ? [[folder, claim.entry.run.manifest.plan]] : [];
  });
  const [first] = found;
  if (first === undefined) return;
  const [{ board }, plan] = first;
  const message = `${personName(worker).replace(/^agent\//, '')} asks you for ${path}, which your task "${owner.task}" writes.`;
  const show = showMessagesIn(connection);
  if ((await show('information', message, [RELEASE, NOT_NOW])) !== RELEASE) return;
  const task = { plan, id: owner.task, ending: { kind: 'release' } } as const;
  const refusal = await endClaim(board, task, { person, operation: () => world.ids.operation() });
  if (refusal !== undefined) await show('information', refusal, []);
}
