import { parseWorkerId } from '../domain/ids.ts';
import { isRunner, type Worker } from '../scheduler/model/workers.ts';
import { EXIT } from './exit-code.ts';
import type { OptionReader } from './options.ts';
import type { Refused } from './say.ts';

export type ReadWorker =
  | { readonly kind: 'worker'; readonly worker: Omit<Worker, 'since'> }
  | Refused;

const KINDS = ['agent', 'person'] as const;

/** Whoever comes for work: `--as NAME`, `--kind`, and with `--needs` what it is able to do. */
export function readWorker(
  options: OptionReader,
  { defaultKind }: { readonly defaultKind: Worker['kind'] },
): ReadWorker {
  const name = options.text('as');
  const said = KINDS.find((kind) => name?.startsWith(`${kind}/`) === true);
  const kind = options.oneOf('kind', KINDS) ?? said ?? defaultKind;
  const capabilities = options.names('needs');
  if (options.refusal !== undefined) return options.refusal;
  if (name === undefined) return wrong('Say who you are: --as NAME');
  if (said !== undefined && said !== kind) return wrong(`"${name}" is no ${kind}.`);
  const id = parseWorkerId(said === undefined ? `${kind}/${name}` : name);
  if (id === undefined || isRunner(id) || name === '')
    return wrong(
      `"${name}" cannot be the name of a worker. Use letters, digits and ._-@:/ (at most 120).`,
    );
  return { kind: 'worker', worker: { id, kind, capabilities, isIdle: true } };
}

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
