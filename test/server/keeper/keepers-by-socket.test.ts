import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import { Keeper } from '../../../server/keeper/keeper.ts';
import { SocketLinks } from '../../../server/keeper/socket-links.ts';
import { SqliteLock } from '../../../server/store/sqlite-lock.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { SystemAlarm } from '../../../server/system/alarm.ts';
import { SystemClock } from '../../../server/system/clock.ts';
import { request } from '../../support/engine-world.ts';
import { HandMachine } from '../../support/hand-machine.ts';
import { dumpOf } from '../../support/board-dump.ts';
import { definition, taskId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Notes, workerNamed } from './links-on-trial.ts';

const CHAIN = [
  definition('a', { asks: { needs: ['x'], doer: { kind: 'agent' } } }),
  definition('b', { dependsOn: [taskId('a')] }),
];

/** A process that takes part, with its own connections to the disk. */
class Process {
  readonly notes = new Notes();
  readonly told: LedgerEntry[] = [];
  readonly faults: unknown[] = [];
  readonly keeper: Keeper;

  constructor(directory: string, { name, machine }: { name: string; machine: HandMachine }) {
    const clock = new SystemClock();
    const store = new SqliteStore(path.join(directory, 'board.db'), { clock });
    const faulted = (error: unknown): void => void this.faults.push(error);
    const links = new SocketLinks({
      directory,
      role: 'window',
      name,
      build: '1.0.0',
      events: (after, limit) => store.events(after, limit),
      onFault: faulted,
    });
    const lock = new SqliteLock(directory, name);
    const newRunner = machine.runner.bind(machine);
    const listener = {
      changed: (entries: readonly LedgerEntry[]): void => {
        this.told.push(...entries);
        this.notes.add('changed');
      },
      noticed: (sentence: string) => this.notes.add(sentence),
      halted: (sentence: string) => this.notes.add(sentence),
      faulted,
    };
    this.keeper = new Keeper(
      { clock, alarm: new SystemAlarm(), store, lock, links, newRunner, machine: {} },
      { rules: { foldCase: false }, name, permission: 'granted', carriesOn: 'all', listener },
    );
    onTestFinished(async () => {
      await this.keeper.close();
      store.close();
    });
  }
}

const ANN = { ...workerNamed('ann'), capabilities: ['x'] };

test('two processes share a board over its socket, and the second goes on where the first stopped', async () => {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const first = new Process(directory, { name: 'first', machine });
  const second = new Process(directory, { name: 'second', machine });
  await first.keeper.takePart();
  await second.keeper.takePart();
  expect([first, second].map(({ keeper }) => keeper.isDeciding)).toStrictEqual([true, false]);

  const started = await second.keeper.calls.submit(request({ tasks: CHAIN }));
  expect(started).toMatchObject({ kind: 'started' });
  // The same tasks asked for where they are decided are the same tasks.
  expect(await first.keeper.calls.submit(request({ tasks: CHAIN }))).toMatchObject({
    kind: 'joined',
  });
  const claimed = await second.keeper.calls.claim({ worker: ANN, operation: 'claim-1' });
  if (claimed.kind !== 'granted') throw new Error(claimed.kind);
  const { run, task, term } = claimed.grant;
  await second.notes.until(() => second.told.length === first.told.length);
  expect(second.told).toStrictEqual(first.told);
  expect(dumpOf(second.keeper.board)).toStrictEqual(dumpOf(first.keeper.board));

  const closing = first.keeper.close();
  const said = await second.keeper.calls.say(
    { run, task, term, says: { kind: 'completed' } },
    'say-1',
  );
  await closing;
  expect(said).toMatchObject({ kind: 'accepted' });
  expect(second.keeper.isDeciding).toBe(true);
  expect(second.told.map(({ sequence }) => sequence)).toStrictEqual(
    second.told.map((_, index) => index + 1),
  );
  expect([...first.faults, ...second.faults]).toStrictEqual([]);
});
