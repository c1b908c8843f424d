import type { Machines, Session } from '../board/session-ports.ts';
import { lookAt, type MachineSeen } from '../board/sessions-seen.ts';
import { noSuchHost } from '../plans/host-problems.ts';
import { displayText } from '../domain/display-text.ts';
import { formatDuration } from '../domain/time.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { inColumns } from './in-columns.ts';
import { errLine, outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

export async function listSessions(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const machines = terminal.world('session').machines(args.folder);
  const meant = placesMeant(args, machines);
  if (meant.kind === 'refused') return sayRefused(args, terminal, meant);
  const seen = await lookAt(machines, meant.places);
  if (args.isJson) sayJson(terminal, { machines: seen });
  else show(seen, terminal);
  // One host that is away does not spoil what the others have said.
  return seen.every(({ kind }) => kind === 'unreachable') ? EXIT.unavailable : EXIT.done;
}

/** The machine that was named, or all of them. */
export function placesMeant(
  { options }: Pick<Arguments, 'options'>,
  machines: Machines,
): { readonly kind: 'places'; readonly places: readonly string[] } | Refused {
  const on = options['on'];
  const { places } = machines;
  if (on === undefined) return { kind: 'places', places };
  if (places.includes(String(on))) return { kind: 'places', places: [String(on)] };
  const message = noSuchHost(displayText(String(on)), machines);
  return { kind: 'refused', why: 'unknown-host', message, code: EXIT.usage };
}

/** Says on the error output which machines could not be asked. */
export function sayUnseen(seen: readonly MachineSeen[], terminal: Terminal): void {
  for (const machine of seen) {
    if (machine.kind === 'unreachable')
      errLine(terminal, `${nameOf(machine.place)}: ${displayText(machine.message)}`);
    if (machine.kind === 'no-tmux') errLine(terminal, `${nameOf(machine.place)} has no tmux.`);
  }
}

function show(seen: readonly MachineSeen[], terminal: Terminal): void {
  const rows: (readonly string[])[] = [];
  for (const machine of seen) {
    if (machine.kind !== 'seen') continue;
    for (const session of machine.sessions) rows.push(rowOf(machine.place, session, machine.now));
    for (const name of machine.foreign) rows.push([machine.place, 'not ours', '', '', name]);
  }
  if (rows.length > 0) for (const line of inColumns([HEADINGS, ...rows])) outLine(terminal, line);
  else sayNone(seen, terminal);
  // A host without tmux runs tasks without sessions; only who has no other wonders.
  sayUnseen(seen, terminal);
}

/** Of a machine that does not answer nobody knows. */
function sayNone(seen: readonly MachineSeen[], terminal: Terminal): void {
  const asked = seen.filter(({ kind }) => kind !== 'unreachable');
  if (asked.length === seen.length) terminal.err('There are no sessions.\n');
  else if (asked.length > 0)
    errLine(terminal, `No sessions on: ${asked.map(({ place }) => place).join(', ')}.`);
}

const HEADINGS = ['MACHINE', 'ROLE', 'STATE', 'QUIET FOR', 'NAME'];

function rowOf(place: string, session: Session, now: number): readonly string[] {
  const { role, name, isOver, clients, changedAt } = session;
  const state = isOver ? 'ended, kept' : clients === 0 ? 'alone' : `${clients} looking`;
  return [place, role, state, formatDuration(Math.max(0, now - changedAt)), name];
}

function nameOf(place: string): string {
  return place === 'local' ? 'This machine' : `"${place}"`;
}
