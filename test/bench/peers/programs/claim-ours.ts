import { assert } from '../../../../server/domain/assert.ts';
import { parseWorkerId } from '../../../../server/domain/ids.ts';
import { instant } from '../../../../server/domain/time.ts';
import { realWorld } from '../../../../server/world.ts';
import { cycling, serveClient } from './serve-client.ts';

interface Target {
  readonly folder: string;
}

/** A worker as the command line is one: it follows the board, and asks whoever decides. */
await serveClient<Target>({
  fill: () => {},
  connect: async ({ folder }) => {
    const listener = { changed: () => {}, noticed: () => {}, faulted: () => {} };
    const world = realWorld(`bench ${process.pid}`, process.env);
    const { keeper } = world.open(folder, { permission: 'granted', carriesOn: 'all', listener });
    await keeper.takePart();
    assert(!keeper.isDeciding, 'somebody else decides');
    const id = parseWorkerId(`agent/${process.pid}`)!;
    const worker = {
      id,
      kind: 'agent',
      capabilities: [],
      isIdle: false,
      since: instant(0),
    } as const;
    return cycling({
      claim: async () => {
        const reply = await keeper.calls.claim({ worker, operation: world.ids.operation() });
        return reply.kind === 'granted' ? reply.grant : undefined;
      },
      complete: async ({ run, task, term }) =>
        await keeper.calls.say(
          { run, task, term, says: { kind: 'completed' } },
          world.ids.operation(),
        ),
    });
  },
});
