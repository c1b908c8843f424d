import type { WorkerId } from '../domain/ids.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import { OptionReader } from './options.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { type ReadWorker, readWorker } from './worker.ts';

const NAME_LIMIT = 64;

/** Who an agent is said to be: by `--as`, else by the variable. Nothing where neither says it. */
export function saidName(
  { options }: Pick<Arguments, 'options'>,
  { env }: Pick<Terminal, 'env'>,
): string | undefined {
  const said = options['as'] ?? env['INTERLOCK_WORKER'];
  return said === undefined || said === '' ? undefined : String(said);
}

export function agentNamed(name: string, needs?: string): ReadWorker {
  const options = { as: name, ...(needs !== undefined && { needs }) };
  return readWorker(new OptionReader(options), { defaultKind: 'agent' });
}

/**
 * An agent starts its server of tools and its hooks, and they find each other by its mark: what it has
 * claimed over the one is its own for the other. `program` may have any characters in it.
 */
export function markedName(program: string, mark: string | undefined): string {
  const fitting = program.replaceAll(/[^\w.@-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const name = fitting === '' ? 'agent' : fitting.slice(0, NAME_LIMIT);
  return mark === undefined ? name : `${name}${MARK}${mark}`;
}

/** Of the workers at the board, the one that was started by what started this process. */
export function findByMark(board: BoardModel, marks: readonly string[]): WorkerId | undefined {
  const holders = [...board.claims.pulled].map(({ holder }) => holder.worker);
  const ids = [...board.workers.sessions.keys(), ...holders];
  for (const mark of marks) {
    const found = ids.find((id) => id.endsWith(`${MARK}${mark}`));
    if (found !== undefined) return found;
  }
  return undefined;
}

const MARK = ':by-';
