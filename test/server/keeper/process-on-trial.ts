import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import { Keeper } from '../../../server/keeper/keeper.ts';
import type { DecidingRank } from '../../../server/keeper/links.ts';
import { SocketLinks } from '../../../server/keeper/socket-links.ts';
import { SqliteLock } from '../../../server/store/sqlite-lock.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { SystemAlarm } from '../../../server/system/alarm.ts';
import { SystemClock } from '../../../server/system/clock.ts';
import type { HandMachine } from '../../support/hand-machine.ts';
import { Notes } from './links-on-trial.ts';

interface ProcessOptions {
  readonly name: string;
  readonly machine: HandMachine;
  readonly build?: string;
  readonly rank?: DecidingRank;
  readonly clock?: SystemClock;
}

/** A process that takes part, with its own connections to the disk. */
export class Process {
  readonly notes = new Notes();
  readonly told: LedgerEntry[] = [];
  readonly faults: unknown[] = [];
  readonly keeper: Keeper;

  constructor(
    directory: string,
    { name, machine, build = '1.0.0', rank = 'normal', clock = new SystemClock() }: ProcessOptions,
  ) {
    const store = new SqliteStore(path.join(directory, 'board.db'), { clock });
    const faulted = (error: unknown): void => void this.faults.push(error);
    const links = new SocketLinks({
      directory,
      role: 'window',
      name,
      build,
      rank,
      events: (after, limit, length) => store.events(after, limit, length),
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
      { rules: { foldCase: false }, name, permission: 'granted', carriesOn: 'all', rank, listener },
    );
    onTestFinished(async () => {
      await this.keeper.close();
      store.close();
    });
  }
}
