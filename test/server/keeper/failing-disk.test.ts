import { expect, test } from 'vitest';
import type { LedgerEntry, Store } from '../../../server/engine/store-port.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { Keeper } from '../../../server/keeper/keeper.ts';
import { type OpenedStore, ReopeningStore } from '../../../server/store/reopening-store.ts';
import { request, Surroundings } from '../../support/engine-world.ts';
import { HandLinks, SharedLock } from '../../support/hand-links.ts';
import { settled } from '../../support/hand-time.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { methodsOf } from '../../support/store-methods.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { definition, taskId } from '../../support/runs.ts';

const CHAIN = [definition('a'), definition('b', { dependsOn: [taskId('a')] })];
const FAILED = 'StoreError: The disk failed.';
const READ_ONLY = 'StoreError: The disk is read-only.';

/** One board and the disk below it. */
class Board extends Surroundings {
  readonly lock = new SharedLock();
  readonly links = new HandLinks();
  /** At the end of each transaction. */
  failure: StoreError | undefined;
  opened = 0;

  open(): Opened {
    const [told, said]: [LedgerEntry[], string[]] = [[], []];
    const listener = {
      changed: (entries: readonly LedgerEntry[]) => void told.push(...entries),
      noticed: (sentence: string) => void said.push(sentence),
      faulted: (error: unknown) => void said.push(String(error)),
      halted: (sentence: string) => void said.push(sentence),
    };
    const store = new ReopeningStore({
      file: () => `${temporaryFolder()}/board.db`,
      holdsLock: () => true,
      open: () => this.#openStore(),
      onMovedAside: () => {},
    });
    const keeper = new Keeper(
      {
        clock: this.time,
        alarm: { after: this.time.after.bind(this.time), soon: setImmediate },
        store,
        lock: this.lock,
        links: this.links,
        newRunner: this.machine.runner.bind(this.machine),
        machine: {},
      },
      {
        rules: { foldCase: false },
        name: 'test',
        permission: 'granted',
        carriesOn: 'recent',
        listener,
      },
    );
    return { keeper, store, told, said };
  }

  #openStore(): OpenedStore {
    this.opened += 1;
    const store = new MemoryStore(this.time, this.disk);
    const fail = (): void => {
      if (this.failure !== undefined) throw this.failure;
    };
    const together = <T>(write: () => T): T =>
      store.together(() => {
        const result = write();
        fail();
        return result;
      });
    const beginTenure = (): number => {
      fail();
      return store.beginTenure();
    };
    const [hasCopy, makeCopy] = [() => false, () => {}];
    return { ...methodsOf(store), together, beginTenure, hasCopy, makeCopy, movedAside: undefined };
  }
}

interface Opened {
  readonly keeper: Keeper;
  readonly store: Store;
  readonly told: LedgerEntry[];
  readonly said: string[];
}

function statesIn({ store }: Opened): string {
  const records = store.latestStates('/project');
  return records.map(({ task, state }) => `${task} ${state.kind}`).join(', ');
}

test('when the disk fails nothing of that turn has happened, and this process begins anew as after a crash', async () => {
  const board = new Board();
  const opened = board.open();
  const { keeper, told, said } = opened;
  await keeper.calls.submit(request({ tasks: CHAIN }));
  board.failure = new StoreError('disk', 'The disk failed.');
  const lost = request({ tasks: [definition('c')], plan: 'other.yaml' });
  await expect(keeper.calls.submit(lost)).rejects.toThrow('The disk failed.');
  expect(board.machine.log).toEqual(['start a']);
  board.failure = undefined;
  await settled();
  await board.time.pass(1000);
  expect([keeper.isDeciding, board.opened, said]).toEqual([true, 2, [FAILED]]);
  const tenures = told.filter(({ event }) => event.kind === 'tenureBegan');
  expect(tenures).toHaveLength(2);
  board.machine.succeed('a');
  await settled();
  expect(board.machine.log).toEqual(['start a', 'start b']);
  expect(statesIn(opened)).toBe('a completed, b claimed');
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, index) => index + 1));
});

test('a command that ends while the disk fails is counted when it can be written again, and all is said once', async () => {
  const board = new Board();
  const opened = board.open();
  const { keeper, said } = opened;
  await keeper.calls.submit(request({ tasks: CHAIN }));
  await board.time.pass(20);
  board.failure = new StoreError('disk', 'The disk failed.');
  board.machine.succeed('a');
  await settled();
  await board.time.pass(60_000);
  expect([keeper.isDeciding, board.machine.log, said]).toEqual([false, ['start a'], [FAILED]]);
  expect(statesIn(opened)).toBe('a running, b pending');
  await expect(asked(board, keeper)).rejects.toThrow('The disk failed.');
  board.failure = undefined;
  await board.time.pass(10_000);
  expect(keeper.isDeciding).toBe(true);
  expect(board.machine.log).toEqual(['start a', 'start b']);
  expect(statesIn(opened)).toBe('a completed, b running');
});

test('when the disk fails for one process, another that follows decides', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await first.keeper.calls.submit(request({ tasks: CHAIN }));
  board.failure = new StoreError('disk', 'The disk failed.');
  board.machine.succeed('a');
  await settled();
  board.failure = undefined;
  await board.time.pass(5000);
  expect(board.machine.log).toEqual(['start a', 'start b']);
  expect([first, second].filter(({ keeper }) => keeper.isDeciding)).toHaveLength(1);
  expect(sequencesOf(second)).toEqual(sequencesOf(first));
});

test('while the disk is read-only nothing starts, the board is read, and what ends is not lost', async () => {
  const board = new Board();
  const opened = board.open();
  const { keeper, said } = opened;
  await keeper.calls.submit(request({ tasks: CHAIN }));
  await board.time.pass(20);
  board.failure = new StoreError('world', 'The disk is read-only.');
  board.machine.succeed('a');
  await settled();
  await board.time.pass(30_000);
  const lost = request({ tasks: [definition('c')], plan: 'other.yaml' });
  await expect(keeper.calls.submit(lost)).rejects.toThrow('The disk is read-only.');
  expect([board.machine.log, said]).toEqual([['start a'], [READ_ONLY]]);
  expect(statesIn(opened)).toBe('a running, b pending');
  expect([...keeper.board.runs.values()].map(({ entries }) => entries.length)).toEqual([2]);
  board.failure = undefined;
  await board.time.pass(6000);
  expect(statesIn(opened)).toBe('a completed, b running');
});

test('a board that a newer build has taken over is let go of, and left to it', async () => {
  const board = new Board();
  const opened = board.open();
  const { keeper, said } = opened;
  await keeper.calls.submit(request({ tasks: CHAIN }));
  board.failure = new StoreError('newer', 'Update Interlock.');
  board.machine.succeed('a');
  await settled();
  await board.time.pass(60_000);
  expect([keeper.isDeciding, board.lock.holder]).toEqual([false, undefined]);
  expect([board.machine.log, said]).toEqual([['start a'], ['StoreError: Update Interlock.']]);
  await expect(asked(board, keeper)).rejects.toThrow('Update Interlock.');
});

/** Whoever asks is told in the end, and need not wait for the disk. */
async function asked(board: Board, keeper: Keeper): Promise<unknown> {
  const asking = keeper.calls.submit(request({ tasks: [definition('c')], plan: 'other.yaml' }));
  asking.catch(() => {});
  await settled();
  await board.time.pass(5000);
  return await asking;
}

function sequencesOf({ told }: Opened): readonly number[] {
  return told.map(({ sequence }) => sequence);
}
