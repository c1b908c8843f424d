import { serveOurs } from './our-board.ts';

/** Gives the coordinator of this folder 10 000 tasks, 1 000 of which are claimed and kept alive. */
export async function loadCoordinator(folder: string): Promise<void> {
  await using _ = await serveOurs(folder, { tasks: 10_000, held: 1000 });
}
