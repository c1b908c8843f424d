import { assert } from '../../../../server/domain/assert.ts';
import { parseWorkerId } from '../../../../server/domain/ids.ts';
import { instant } from '../../../../server/domain/time.ts';
import { SocketLinks } from '../../../../server/keeper/socket-links.ts';
import { BoardDirectory } from '../../../../server/system/board-directory.ts';
import { RandomIds } from '../../../../server/system/random-ids.ts';
import { cycling, serveClient } from './serve-client.ts';

interface Target {
  readonly folder: string;
}

const ids = new RandomIds();

/** A worker that asks whoever decides, and looks at nothing else of the board. */
await serveClient<Target>({
  fill: () => {},
  connect: async ({ folder }) => {
    const id = parseWorkerId(`agent/${process.pid}`)!;
    const worker = {
      id,
      kind: 'agent',
      capabilities: [],
      isIdle: false,
      since: instant(0),
    } as const;
    const links = new SocketLinks({
      directory: new BoardDirectory(folder, process.env).path,
      role: 'worker',
      name: id,
      build: 'bench',
      events: () => [],
      onFault: (error) => {
        throw error;
      },
    });
    const listener = { told: () => {}, woken: () => {}, halted: () => {}, gone: () => {} };
    const result = await links.connect(listener);
    assert(result.kind === 'connected', 'somebody decides');
    const { calls } = result.link;
    return cycling({
      claim: async () => {
        const reply = await calls.claim({ worker, operation: ids.operation() });
        return reply.kind === 'granted' ? reply.grant : undefined;
      },
      complete: async ({ run, task, term }) => {
        const by = { kind: 'worker', worker: worker.id } as const;
        const says = { kind: 'completed' } as const;
        return await calls.say({ run, task, term, by, says }, ids.operation());
      },
    });
  },
});
