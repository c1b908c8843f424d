import { type Claims, measureClients } from './claim-clients.ts';
import { ourEnvironment, serveOurs } from './our-board.ts';
import { inScratchFolder } from './scratch.ts';

/** What our figures are compared with: the raw engine at the same durability. */
export const OUR_SYNC = 'FULL';

const TASKS = 40_000;

/** Claims and completes through the socket of one coordinator, from so many client processes. */
export async function measureOurs(clients: number): Promise<Claims> {
  return await inScratchFolder(async (folder) => {
    await using _ = await serveOurs(folder, { tasks: TASKS });
    const env = ourEnvironment(folder);
    return await measureClients({ program: 'claim-ours', target: { folder }, clients, env });
  });
}
