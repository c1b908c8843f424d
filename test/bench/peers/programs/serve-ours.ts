import { realWorld } from '../../../../server/world.ts';
import { definition, runId } from '../../../support/runs.ts';
import { PAYLOAD } from '../claim-clients.ts';

/** Decides for a board of tasks that workers claim, until it is told to end. */
const [, , folder = '', tasks = '', held = '0', writes = 'false'] = process.argv;

const listener = {
  changed: () => {},
  noticed: (sentence: string) => void process.stderr.write(`${sentence}\n`),
  faulted: (error: unknown) => void process.stderr.write(`${String(error)}\n`),
  halted: (sentence: string) => void process.stderr.write(`${sentence}\n`),
};
const { keeper, store } = realWorld(`bench ${process.pid}`, process.env).open(folder, {
  permission: 'granted',
  carriesOn: 'all',
  listener,
});
await keeper.calls.submit({
  id: runId(1),
  root: folder,
  plan: 'interlock.yaml',
  planHash: '',
  selection: [],
  requestedBy: 'bench',
  policy: { parallel: 1, failFast: false },
  tasks: Array.from({ length: Number(tasks) }, (_, number) =>
    definition(`t${number}`, {
      title: PAYLOAD,
      command: undefined,
      ...(writes === 'true' && {
        writes: [`src/p${number % 1000}/f${Math.floor(number / 1000)}.ts`],
      }),
      // So many waiting tasks are a load under which only these are served.
      asks: { doer: { kind: 'anyone' }, priority: 'critical' },
    }),
  ),
  isNew: true,
});
for (let number = 0; number < Number(held); number += 1) {
  const id = `agent/${number}`;
  const worker = { id, kind: 'agent', capabilities: [], isIdle: false, since: 0 };
  const call = { worker, leaseMs: 3_600_000, operation: `held ${number}` };
  await keeper.calls.claim(JSON.parse(JSON.stringify(call)));
}
process.once('message', () => {
  void keeper.close().then(() => {
    store.close();
    process.exit(0);
  });
});
process.send?.('ready');
