import { sessionName } from '../domain/session-name.ts';
import type { Launch } from '../engine/ports.ts';
import type { SessionWish } from './session-start.ts';

/** The session of an attempt. That of an agent stays when it has ended: somebody may go on in it. */
export function sessionOf(
  { run, term, definition: { id, asks } }: Launch,
  { board, repo }: { readonly board: string; readonly repo: string },
): SessionWish | Refusal {
  const isKept = asks?.doer?.kind === 'started-agent';
  const role = isKept ? 'agent' : 'runner';
  const key = { repo, role } as const;
  const name = sessionName({ ...key, work: id });
  const other = sessionName({ ...key, work: `${id}-${term}` });
  if (name.kind === 'refused') return { refusal: name.message, mayPass: false };
  return {
    names: [name.name, other.kind === 'refused' ? name.name : other.name],
    key: `${board}:${run}:${term}`,
    isInTerminal: isKept || asks?.isInSession === true,
    isKept,
  };
}

export interface Refusal {
  /** A sentence for the user. */
  readonly refusal: string;
  /** Another time, or another machine, may do. */
  readonly mayPass: boolean;
}
