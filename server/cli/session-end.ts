import type { Machines, Session } from '../board/session-ports.ts';
import { lookAt, type MachineSeen } from '../board/sessions-seen.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import { readSessionName, SESSION_ROLES } from '../domain/session-name.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { outLine, type Refused, sayJson, sayRefused } from './say.ts';
import { placesMeant, sayUnseen } from './session-list.ts';
import type { Arguments, Terminal } from './terminal.ts';

interface Placed {
  readonly place: string;
  readonly session: Session;
}

/** Ends the session of exactly this name. */
export async function killSession(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [, name = ''] = args.words;
  if (readSessionName(name) === undefined) return sayRefused(args, terminal, notOurs(name));
  return await withSessions(args, terminal, async ({ machines, seen, board }) => {
    const found = sessionsIn(seen).filter(({ session }) => session.name === name);
    const [one] = found;
    if (one === undefined) {
      const isForeign = seen.some((each) => each.kind === 'seen' && each.foreign.includes(name));
      return sayRefused(args, terminal, isForeign ? notOurs(name) : absent(name, seen));
    }
    if (found.length > 1) return sayRefused(args, terminal, several(name, found));
    const task = taskAtWork(one.session, machines, board);
    if (task !== undefined) return sayRefused(args, terminal, atWork(name, task));
    const ending = await end(machines, one);
    if (ending === 'foreign') return sayRefused(args, terminal, notOurs(name));
    if (args.isJson) sayJson(terminal, { killed: [{ place: one.place, name }] });
    else outLine(terminal, `Ended ${name}.`);
    return EXIT.done;
  });
}

/** Ends sessions that nobody has used for so long, never one of a person and none that is at work. */
export async function pruneSessions(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const role = reader.oneOf('role', SESSION_ROLES);
  const olderThanMs = reader.durationMs('older-than') ?? 0;
  if (reader.refusal !== undefined) return sayRefused(args, terminal, reader.refusal);
  if (role === 'human') return sayRefused(args, terminal, OF_PEOPLE);
  const roles = role === undefined ? ['runner'] : [role];
  return await withSessions(args, terminal, async ({ machines, seen, board }) => {
    const ended: { place: string; name: string }[] = [];
    for (const machine of seen) {
      if (machine.kind !== 'seen') continue;
      for (const session of machine.sessions) {
        const isMeant = roles.includes(session.role) && session.role !== 'human';
        const isOld = machine.now - session.changedAt >= olderThanMs;
        if (!isMeant || !isOld || taskAtWork(session, machines, board) !== undefined) continue;
        const { place } = machine;
        if ((await end(machines, { place, session })) === 'ended')
          ended.push({ place, name: session.name });
      }
    }
    if (args.isJson) sayJson(terminal, { killed: ended, machines: seen.map(reachedOf) });
    else if (ended.length === 0) terminal.err('There is nothing to end.\n');
    else for (const { place, name } of ended) outLine(terminal, `Ended ${name} (${place}).`);
    if (!args.isJson) sayUnseen(seen, terminal);
    return seen.some(({ kind }) => kind === 'unreachable') ? EXIT.unavailable : EXIT.done;
  });
}

interface SessionsUse {
  readonly machines: Machines;
  readonly seen: readonly MachineSeen[];
  readonly board: BoardModel;
}

/** What is at work only the board knows; without it nothing is ended. */
async function withSessions(
  args: Arguments,
  terminal: Terminal,
  use: (use: SessionsUse) => Promise<ExitCode>,
): Promise<ExitCode> {
  const machines = terminal.world('session').machines(args.folder);
  const meant = placesMeant(args, machines);
  if (meant.kind === 'refused') return sayRefused(args, terminal, meant);
  const seen = await lookAt(machines, meant.places);
  // Read after the sessions were: what has started since is not among them.
  return await withBoard(args, terminal, {
    how: { command: 'session' },
    use: async ({ open }: BoardUse) => await use({ machines, seen, board: open.keeper.board }),
  });
}

async function end(machines: Machines, { place, session }: Placed): Promise<string> {
  const sessions = await machines.sessionsAt(place);
  try {
    return await sessions.end(session);
  } finally {
    sessions.close();
  }
}

function sessionsIn(seen: readonly MachineSeen[]): readonly Placed[] {
  return seen.flatMap((machine) =>
    machine.kind === 'seen'
      ? machine.sessions.map((session) => ({ place: machine.place, session }))
      : [],
  );
}

/** The task whose claim goes on in it. */
function taskAtWork(
  { key }: Session,
  { board: word }: Machines,
  board: BoardModel,
): string | undefined {
  for (const run of board.runs.values())
    for (const { id, state } of run.entries)
      if (
        (state.kind === 'claimed' || state.kind === 'running') &&
        key === `${word}:${run.manifest.id}:${state.term}`
      )
        return id;
  return undefined;
}

function reachedOf(machine: MachineSeen): object {
  return machine.kind === 'seen' ? { kind: machine.kind, place: machine.place } : machine;
}

function absent(name: string, seen: readonly MachineSeen[]): Refused {
  const unseen = seen.flatMap((machine) => (machine.kind === 'unreachable' ? machine.message : []));
  const message = [`There is no session "${name}".`, ...unseen].join(' ');
  const code = unseen.length === 0 ? EXIT.refused : EXIT.unavailable;
  return { kind: 'refused', why: 'no-session', message, code };
}

function several(name: string, found: readonly Placed[]): Refused {
  const places = found.map(({ place }) => place).join(', ');
  const message = `"${name}" is on ${places}. Say which one with --on.`;
  return { kind: 'refused', why: 'ambiguous', message, code: EXIT.usage };
}

function atWork(name: string, task: string): Refused {
  const message = `"${task}" is at work in "${name}". "interlock cancel ${task}" ends both.`;
  return { kind: 'refused', why: 'at-work', message, code: EXIT.refused };
}

function notOurs(name: string): Refused {
  const message = `"${name}" is no session of Interlock. Whoever made it ends it.`;
  return { kind: 'refused', why: 'not-ours', message, code: EXIT.refused };
}

const OF_PEOPLE: Refused = {
  kind: 'refused',
  why: 'usage',
  message: 'Sessions of people are ended one by one: "interlock session kill NAME".',
  code: EXIT.usage,
};
