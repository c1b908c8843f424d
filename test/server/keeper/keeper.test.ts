import { expect, test } from 'vitest';
import type { LedgerEntry, Store } from '../../../server/engine/store-port.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { Keeper, type KeeperOptions } from '../../../server/keeper/keeper.ts';
import { request, Surroundings } from '../../support/engine-world.ts';
import { HandLinks, SharedLock } from '../../support/hand-links.ts';
import { settled } from '../../support/hand-time.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { methodsOf } from '../../support/store-methods.ts';
import { definition, taskId } from '../../support/runs.ts';

const CHAIN = [definition('a'), definition('b', { dependsOn: [taskId('a')] })];

class Board extends Surroundings {
  readonly lock = new SharedLock();
  readonly links = new HandLinks();
  /** Somebody has deleted what is on the disk. */
  isGone = false;

  open(options: Partial<KeeperOptions> = {}): Opened {
    const told: LedgerEntry[] = [];
    const notices: string[] = [];
    const listener = {
      changed: (entries: readonly LedgerEntry[]) => void told.push(...entries),
      noticed: (sentence: string) => void notices.push(sentence),
      faulted: (error: unknown) => void notices.push(String(error)),
      halted: (sentence: string) => void notices.push(sentence),
    };
    const parts = {
      clock: this.time,
      alarm: { after: this.time.after.bind(this.time), soon: setImmediate },
      store: this.#store(),
      lock: this.lock,
      links: this.links,
      newRunner: this.machine.runner.bind(this.machine),
      machine: {},
    };
    const rules = { foldCase: false };
    const fixed = { rules, name: 'test', permission: 'granted', carriesOn: 'recent' } as const;
    return { keeper: new Keeper(parts, { ...fixed, listener, ...options }), told, notices };
  }

  #store(): Store {
    const store = new MemoryStore(this.time, this.disk);
    const check = (): void => {
      if (this.isGone) throw new StoreError('gone', 'It was deleted.');
    };
    const beginTenure = (): number => {
      check();
      return store.beginTenure();
    };
    const together: Store['together'] = (write) => {
      check();
      return store.together(write);
    };
    return { ...methodsOf(store), beginTenure, together };
  }
}

interface Opened {
  readonly keeper: Keeper;
  readonly told: LedgerEntry[];
  readonly notices: string[];
}

function sequencesOf(entries: readonly LedgerEntry[]): readonly number[] {
  return entries.map(({ sequence }) => sequence);
}

test('whoever only looks takes no lock and starts nothing', async () => {
  const board = new Board();
  const { keeper } = board.open();
  expect(keeper.board.runs.size).toBe(0);
  await keeper.close();
  expect(board.lock.holder).toBeUndefined();
});

test('the first who asks decides, and the others ask it', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  expect(first.keeper.isDeciding).toBe(true);
  const tasks = CHAIN;
  expect(await second.keeper.calls.submit(request({ tasks }))).toMatchObject({ kind: 'started' });
  expect(second.keeper.isDeciding).toBe(false);
  expect(board.machine.running).toEqual(['a']);
  expect([...second.keeper.board.runs.keys()]).toEqual([...first.keeper.board.runs.keys()]);
});

test('everybody is told of everything once, in order', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await first.keeper.calls.submit(request({ tasks: CHAIN }));
  board.machine.succeed('a');
  await settled();
  await second.keeper.calls.submit(request({ plan: 'other.interlock.yaml' }));
  expect(sequencesOf(second.told)).toEqual(sequencesOf(first.told));
  expect(sequencesOf(first.told)).toEqual(first.told.map((_, index) => index + 1));
});

test('a process that decides and is stopped is taken over within 5 s, and nothing starts twice', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await first.keeper.calls.submit(request({ tasks: CHAIN }));
  board.lock.isStopped = true;
  await board.time.pass(5000);
  await settled();
  expect([first, second].map(({ keeper }) => keeper.isDeciding)).toEqual([false, true]);
  expect(first.keeper.mayAct).toBe(false);
  expect(board.machine.deciders.map((decides) => decides())).toEqual([false, true]);
  board.machine.succeed('a');
  await settled();
  expect(board.machine.log.filter((line) => line.startsWith('start'))).toEqual([
    'start a',
    'start b',
  ]);
  const began = second.told.flatMap(({ event }) =>
    event.kind === 'tenureBegan' ? [event.isTakeover] : [],
  );
  expect(began).toEqual([undefined, true]);
  expect([...first.notices, ...second.notices]).toEqual([]);
});

test('one that beats is left alone, however long it has nothing to do', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await board.time.pass(120_000);
  expect([first, second].map(({ keeper }) => keeper.isDeciding)).toEqual([true, false]);
});

test('an agent server leaves a free board to another process, and takes it if there is none', async () => {
  const board = new Board();
  const first = board.open();
  const last = board.open({ rank: 'last' });
  const window = board.open({ rank: 'first' });
  await first.keeper.takePart();
  await last.keeper.takePart();
  await window.keeper.takePart();
  await first.keeper.close();
  for (let ms = 0; ms < 300; ms += 50) await board.time.pass(50);
  await settled();
  expect([last, window].map(({ keeper }) => keeper.isDeciding)).toEqual([false, true]);
  await window.keeper.close();
  await board.time.pass(1000);
  await settled();
  expect(last.keeper.isDeciding).toBe(true);
});

test('when whoever decides dies, another goes on and nothing starts twice', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await first.keeper.calls.submit(request({ tasks: CHAIN }));
  board.lock.holder = undefined;
  board.links.cut();
  await settled();
  await board.time.pass(1000);
  expect(second.keeper.isDeciding).toBe(true);
  board.machine.succeed('a');
  await settled();
  expect(board.machine.log).toEqual(['start a', 'start b']);
  expect(sequencesOf(second.told)).toEqual(second.told.map((_, index) => index + 1));
});

test('a request that is lost on the way is asked again, and counts once', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  const { id } = await started(second);
  board.links.loseNext();
  board.lock.holder = undefined;
  const stopping = second.keeper.calls.control({ kind: 'stop-run', run: id }, 'stop');
  await settled();
  await board.time.pass(2000);
  expect(await stopping).toEqual({ kind: 'accepted' });
  expect(board.machine.log).toEqual(['start a', 'terminate a']);
});

test('whoever decided and closes leaves the commands to the next', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  await started(first);
  await first.keeper.close();
  await settled();
  await board.time.pass(1000);
  expect(second.keeper.isDeciding).toBe(true);
  expect(board.machine.running).toEqual(['a']);
  await expect(first.keeper.calls.submit(request())).rejects.toThrow('The board was closed.');
});

test('a refusal of the one who decides is said once, and tried again', async () => {
  const board = new Board();
  const { keeper, notices } = board.open();
  board.lock.holder = 'an older Interlock';
  board.links.refusal = 'Update the other window.';
  const taking = keeper.takePart();
  await settled();
  await board.time.pass(2000);
  expect(notices).toEqual(['Update the other window.']);
  board.lock.holder = undefined;
  await board.time.pass(1000);
  await taking;
  expect(keeper.isDeciding).toBe(true);
});

test('each reason not to be let in is said once in a search, and again in the next', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await second.keeper.takePart();
  const refuse = async (...messages: readonly string[]): Promise<void> => {
    for (const message of messages) {
      board.links.refusal = message;
      await board.time.pass(1000);
    }
  };
  board.links.cut();
  await refuse('It is full.', 'The token was changed.', 'It is full.', 'The token was changed.');
  expect(second.notices).toEqual(['It is full.', 'The token was changed.']);
  board.links.refusal = undefined;
  board.lock.holder = undefined;
  await board.time.pass(1000);
  expect(second.keeper.isDeciding).toBe(true);
});

test('whoever has the lock and is not to be found is named once, and looked for', async () => {
  const board = new Board();
  const { keeper, notices } = board.open();
  board.lock.holder = '"interlock serve" (process 7)';
  board.lock.isBusy = true;
  const taking = keeper.takePart();
  await settled();
  await board.time.pass(10_000);
  expect(notices).toEqual([]);
  await board.time.pass(60_000);
  expect(notices).toEqual([
    '"interlock serve" (process 7) decides for this board and cannot be reached: the file "token" that leads to it is missing or was changed ("interlock where" says where it is). It is looked for again and again; put the file back, or end that process.',
  ]);
  board.lock.holder = undefined;
  await board.time.pass(1000);
  await taking;
  expect(keeper.isDeciding).toBe(true);
});

test('a store that fails for a moment is tried again, one that goes on failing is said', async () => {
  const board = new Board();
  const { keeper, notices } = board.open();
  const acquire = board.lock.acquire.bind(board.lock);
  let failures = 3;
  board.lock.acquire = () => {
    if (failures === 0) return acquire();
    failures -= 1;
    throw new StoreError('world', 'The file is busy.');
  };
  const taking = keeper.takePart();
  await settled();
  await board.time.pass(1000);
  await taking;
  expect(keeper.isDeciding).toBe(true);
  await keeper.close();
  failures = Infinity;
  const other = board.open();
  const asking = other.keeper.takePart().catch(String);
  await settled();
  await board.time.pass(10_000);
  expect(await asking).toBe('StoreError: The file is busy.');
  expect([notices, other.notices]).toEqual([[], ['StoreError: The file is busy.']]);
});

test('a process that was suspended for long while it took the board follows its successor', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  const acquire = board.lock.acquire.bind(board.lock);
  board.lock.acquire = () => {
    board.lock.acquire = acquire;
    void second.keeper.takePart();
    board.time.sleep(60_000);
    throw new StoreError('deposed', 'Another process has copied the board.');
  };
  const taking = first.keeper.takePart();
  await settled();
  await board.time.pass(1000);
  await taking;
  expect([first.keeper.isDeciding, second.keeper.isDeciding]).toEqual([false, true]);
  expect(first.notices).toEqual([]);
});

test('whoever lost the board to another process follows it, and says nothing of it', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await started(first);
  // As after its lock was deleted: another one takes it anew.
  board.lock.holder = undefined;
  await second.keeper.takePart();
  expect([first.keeper.isDeciding, second.keeper.isDeciding]).toEqual([true, true]);
  const asking = first.keeper.calls.submit(request({ plan: 'other.interlock.yaml' }));
  await board.time.pass(2000);
  expect(await asking).toMatchObject({ kind: 'started' });
  expect([first.keeper.isDeciding, second.keeper.isDeciding]).toEqual([false, true]);
  expect(first.notices).toEqual([]);
});

test('whoever decides and is asked nothing notices that it was followed, and else keeps its door', async () => {
  const board = new Board();
  const [first, second] = [board.open(), board.open()];
  await first.keeper.takePart();
  await board.time.pass(5000);
  expect(board.links.restored).toBe(1);
  board.lock.holder = undefined;
  await second.keeper.takePart();
  await board.time.pass(5200);
  expect([first.keeper.isDeciding, second.keeper.isDeciding]).toEqual([false, true]);
  expect(board.links.restored).toBe(2);
});

test('whoever decides on a board that is gone says so once, and lets go of it', async () => {
  const board = new Board();
  const { keeper, notices } = board.open();
  await keeper.takePart();
  await started({ keeper });
  board.isGone = true;
  for (const plan of ['b.interlock.yaml', 'c.interlock.yaml']) {
    const asking = keeper.calls.submit(request({ plan })).catch(String);
    await board.time.pass(2000);
    expect(await asking).toBe('StoreError: It was deleted.');
  }
  expect([notices, board.lock.holder]).toEqual([['StoreError: It was deleted.'], undefined]);
  board.isGone = false;
  await keeper.takePart();
  expect(keeper.isDeciding).toBe(true);
});

test('whoever asks while it is being closed is told so', async () => {
  const board = new Board();
  board.lock.holder = 'another';
  const { keeper } = board.open();
  const asking = keeper.calls.submit(request());
  await keeper.close();
  await expect(asking).rejects.toThrow('The board was closed.');
});

async function started({
  keeper,
}: Pick<Opened, 'keeper'>): Promise<{ id: ReturnType<typeof request>['id'] }> {
  const asked = request({ tasks: CHAIN });
  await keeper.calls.submit(asked);
  return asked;
}
