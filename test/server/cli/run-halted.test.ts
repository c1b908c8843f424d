import { expect, test } from 'vitest';
import type { BoardWorld, OpenBoard } from '../../../server/board/ports.ts';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import type { Terminal } from '../../../server/cli/terminal.ts';
import { Keeper, type KeeperOptions } from '../../../server/keeper/keeper.ts';
import { request, Surroundings } from '../../support/engine-world.ts';
import { HandLinks, SharedLock } from '../../support/hand-links.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { definition, runId } from '../../support/runs.ts';
import { methodsOf } from '../../support/store-methods.ts';

/** A machine on which whoever decides makes a mistake in its first decision about a task. */
class Machine extends Surroundings {
  readonly said: string[] = [];
  readonly #lock = new SharedLock();
  readonly #links = new HandLinks();

  open(options: Omit<KeeperOptions, 'rules' | 'name'>, name: string): OpenBoard {
    const inner = new MemoryStore(this.time, this.disk);
    const store = { ...methodsOf(inner), commit: decideWrongly };
    const alarm = { after: this.time.after.bind(this.time), soon: setImmediate };
    const keeper = new Keeper(
      {
        clock: this.time,
        alarm,
        store,
        lock: this.#lock,
        links: this.#links,
        newRunner: this.machine.runner.bind(this.machine),
        machine: {},
      },
      { ...options, name, rules: { foldCase: false } },
    );
    return {
      keeper,
      store,
      clock: this.time,
      alarm,
      notice: undefined,
      logFile: () => '/nowhere',
      readLog: () => unused(),
      decider: () => undefined,
    };
  }

  get terminal(): Terminal {
    const world: BoardWorld = {
      files: {
        list: () => ['interlock.yaml'],
        read: () => 'tasks:\n  a: { run: x }\n',
      },
      rules: { foldCase: false },
      ids: { runId: () => runId(7), operation: () => 'an operation' },
      defaultParallel: 4,
      hash: () => 'hash',
      realFolder: (folder) => folder,
      folderInTree: () => '',
      open: (_, options) => this.open(options, 'the command'),
    };
    return {
      world: () => world,
      env: {},
      cwd: '/project',
      screen: undefined,
      isAttended: false,
      out: (text) => void this.said.push(`out: ${String(text)}`),
      err: (text) => void this.said.push(`err: ${text}`),
      onInterrupt: () => {},
      onUnread: () => {},
      abort: () => {},
    };
  }
}

function decideWrongly(): never {
  throw new Error('One is not two.');
}

function unused(): never {
  throw new Error('Nobody is to be asked for this.');
}

const sentence = (who: string): string =>
  `Interlock found a mistake of its own in deciding (Error: One is not two.): ${who} starts and ends nothing more, and what runs goes on. ` +
  'End that process and run again; please report it with what "interlock export" writes.';

test('a run ends with 5 and what to do when the command makes a mistake in deciding', async () => {
  const machine = new Machine();
  expect(await runCommandLine(['run'], machine.terminal)).toBe(5);
  expect(machine.said).toEqual([`err: ${sentence('the command')}\n`]);
});

test('it is one document for programs', async () => {
  const machine = new Machine();
  expect(await runCommandLine(['run', '--json'], machine.terminal)).toBe(5);
  const out = machine.said.find((text) => text.startsWith('out: ')) ?? '';
  const message = sentence('the command');
  expect(JSON.parse(out.slice(5))).toEqual({ refused: { why: 'mistake', message } });
});

for (const when of ['before', 'after'] as const)
  test(`a run ends, too, when another process decides and made its mistake ${when} it came`, async () => {
    const machine = new Machine();
    const listener = { changed: () => {}, noticed: () => {}, faulted: () => {}, halted: () => {} };
    const options = { permission: 'granted', carriesOn: 'all', listener } as const;
    const { keeper } = machine.open(options, 'a window');
    await keeper.takePart();
    const other = request({ plan: 'other.interlock.yaml', tasks: [definition('b')] });
    if (when === 'before') await keeper.calls.submit(other);
    expect(await runCommandLine(['run'], machine.terminal)).toBe(5);
    expect(machine.said).toEqual([`err: ${sentence('a window')}\n`]);
    await keeper.close();
  });
