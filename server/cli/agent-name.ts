import { OptionReader } from './options.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { type ReadWorker, readWorker } from './worker.ts';

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
