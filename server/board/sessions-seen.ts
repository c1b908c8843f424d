import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { readSessionName, sessionName, type SessionRole } from '../domain/session-name.ts';
import { runnerNamed } from '../scheduler/model/workers.ts';
import { MachineUnreachable, type Machines, type Session } from './session-ports.ts';

/** What there is of sessions on one machine. */
export type MachineSeen =
  | {
      readonly kind: 'seen';
      readonly place: string;
      /** The machine's clock. */
      readonly now: number;
      readonly sessions: readonly Session[];
      readonly foreign: readonly string[];
    }
  | { readonly kind: 'no-tmux'; readonly place: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'unreachable'; readonly place: string; readonly message: string };

/** Where a session is; or who could not be asked for it, if there is none elsewhere. */
export interface SessionSearch {
  readonly found: readonly { readonly place: string; readonly name: string }[];
  readonly seen: readonly MachineSeen[];
}

/** All at once; one that does not answer keeps no other from it. */
export async function lookAt(
  machines: Machines,
  places: readonly string[],
): Promise<readonly MachineSeen[]> {
  return await Promise.all(places.map(async (place) => await lookAtOne(machines, place)));
}

/** The session in which a claim goes on. */
export async function findSessionOfClaim(
  machines: Machines,
  { worker, run, term }: { readonly worker: WorkerId; readonly run: RunId; readonly term: number },
): Promise<SessionSearch> {
  const place = machines.places.find((each) => runnerNamed(each) === worker);
  const key = `${machines.board}:${run}:${term}`;
  return await search(machines, {
    places: place === undefined ? [] : [place],
    isMeant: (session) => session.key === key,
  });
}

/** Those of a role that are there for some work, and of one run where that is said. */
export async function findSessionsOfWork(
  machines: Machines,
  work: string,
  {
    role,
    run,
    places = machines.places,
  }: {
    readonly role: SessionRole;
    readonly run?: RunId;
    readonly places?: readonly string[];
  },
): Promise<SessionSearch> {
  const named = sessionName({ repo: machines.repo, work, role });
  const wanted = named.kind === 'named' ? readSessionName(named.name) : undefined;
  const start = run === undefined ? '' : `${machines.board}:${run}:`;
  return await search(machines, {
    places,
    isMeant: (session) =>
      session.role === role && session.work === wanted?.work && session.key.startsWith(start),
  });
}

/** The session of an agent is kept when its task has ended. */
export async function findKeptSession(
  machines: Machines,
  { run, task }: { readonly run: RunId; readonly task: TaskId },
): Promise<SessionSearch> {
  return await findSessionsOfWork(machines, task, { role: 'agent', run });
}

async function search(
  machines: Machines,
  {
    places,
    isMeant,
  }: { readonly places: readonly string[]; readonly isMeant: (session: Session) => boolean },
): Promise<SessionSearch> {
  const seen = await lookAt(machines, places);
  const found = seen.flatMap((machine) =>
    machine.kind === 'seen'
      ? machine.sessions.filter(isMeant).map(({ name }) => ({ place: machine.place, name }))
      : [],
  );
  return { found, seen };
}

async function lookAtOne(machines: Machines, place: string): Promise<MachineSeen> {
  try {
    const sessions = await machines.sessionsAt(place);
    try {
      return { ...(await sessions.list()), place };
    } finally {
      sessions.close();
    }
  } catch (error) {
    if (!(error instanceof MachineUnreachable)) throw error;
    return { kind: 'unreachable', place, message: error.message };
  }
}
