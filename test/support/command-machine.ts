import { nothingTyped } from './no-input.ts';
import { NO_FILES, NO_HOSTS, NO_MARK, plansInMemory } from './plans-in-memory.ts';
import type { BoardWorld, OpenBoard } from '../../server/board/ports.ts';
import type { Interrupt, Terminal } from '../../server/cli/terminal.ts';
import type { Store } from '../../server/engine/store-port.ts';
import { Keeper, type KeeperOptions } from '../../server/keeper/keeper.ts';
import { Surroundings } from './engine-world.ts';
import { HandLinks, SharedLock } from './hand-links.ts';
import { MemoryStore } from './memory-store.ts';
import { runId } from './runs.ts';
import { HandMachines } from './hand-machines.ts';
import { HAND_PROOFS } from './hand-proofs.ts';
import { HandTime } from './hand-time.ts';

/** A machine on which commands are given, and others take part in the same board. */
export class CommandMachine extends Surroundings {
  readonly said: string[] = [];
  readonly lock = new SharedLock();
  readonly machines = new HandMachines();
  isAttended = false;
  /** What somebody types who is asked. */
  typed = '';
  readonly #links = new HandLinks();
  readonly #wrap: (store: Store) => Store;
  #interrupt: (kind: Interrupt) => void = () => {};

  constructor(wrap: (store: Store) => Store = (store) => store) {
    super();
    this.#wrap = wrap;
  }

  open(options: Omit<KeeperOptions, 'rules' | 'name'>, name: string): OpenBoard {
    const store = this.#wrap(new MemoryStore(this.time, this.disk));
    const alarm = { after: this.time.after.bind(this.time), soon: setImmediate };
    const keeper = new Keeper(
      {
        clock: this.time,
        alarm,
        store,
        lock: this.lock,
        links: this.#links,
        newRunner: this.machine.runner.bind(this.machine),
        machine: {},
        proofs: HAND_PROOFS,
      },
      { ...options, name, rules: { foldCase: false } },
    );
    return {
      keeper,
      store,
      clock: this.time,
      alarm,
      mark: NO_MARK,
      proofs: HAND_PROOFS,
      notice: undefined,
      neighbours: () => undefined,
      logFile: () => '/nowhere',
      readLog: () => unused(),
      openLog: () => unused(),
      loggedAttempts: () => [],
      decider: () => undefined,
    };
  }

  /** As Ctrl-C. */
  interrupt(): void {
    this.#interrupt('wanted');
  }

  get terminal(): Terminal {
    const world: BoardWorld = {
      files: plansInMemory({ 'interlock.yaml': 'tasks:\n  a: { run: x }\n' }),
      shared: NO_FILES,
      hosts: NO_HOSTS,
      rulesOf: () => ({ foldCase: false }),
      ids: { runId: () => runId(7), operation: () => 'an operation' },
      alarm: new HandTime(),
      defaultParallel: 4,
      hash: () => 'hash',
      isIgnored: async () => false,
      userName: 'kim',
      stateFolder: (root) => ({ path: root, isThere: true }),
      realFolder: (folder) => folder,
      folderInTree: () => '',
      foldersUpFrom: (folder) => [folder],
      realInTree: (_root, path) => ({ kind: 'inside', path }),
      facts: () => unused(),
      machines: () => this.machines,
      open: (_, options) => this.open(options, 'the command'),
    };
    return {
      world: () => world,
      env: {},
      cwd: '/project',
      screen: undefined,
      isAttended: this.isAttended,
      out: (text) => void this.said.push(`out: ${String(text)}`),
      err: (text) => void this.said.push(`err: ${text}`),
      onInterrupt: (interrupt) => void (this.#interrupt = interrupt),
      input: this.typed === '' ? nothingTyped() : typing(this.typed),
      callers: () => [],
      starterHasEnded: () => false,
      onUnread: () => {},
      attach: unused,
      handOver: async (program) => await this.machines.handOver(program),
      keyPressed: async () => {},
      abort: () => {},
    };
  }
}

async function* typing(text: string): AsyncGenerator<string> {
  yield text;
}

function unused(): never {
  throw new Error('Nobody is to be asked for this.');
}
