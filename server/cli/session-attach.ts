import { MachineUnreachable, type Machines } from '../board/session-ports.ts';
import { findSessionsOfWork, type SessionSearch } from '../board/sessions-seen.ts';
import {
  findEarlierSession,
  findLiveSession,
  firstOf,
  type FoundSession,
  isAtWork,
} from '../board/task-sessions.ts';
import { personKey, SESSION_ROLES, sessionName, type SessionRole } from '../domain/session-name.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findAttempt } from './find-attempt.ts';
import { findTask, readTaskName } from './find-task.ts';
import { whyUnknown } from './no-plan.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { type Refused, sayRefused } from './say.ts';
import { placesMeant } from './session-list.ts';
import type { Arguments, Terminal } from './terminal.ts';

interface Found {
  readonly kind: 'found';
  readonly place: string;
  readonly name: string;
}

const DEFAULT_WORK = 'shell';

/** Shows a session in this terminal. One of a person is made where there is none. */
export async function attachSession(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const role = reader.oneOf('role', SESSION_ROLES) ?? 'human';
  reader.notBoth('read-only', 'write');
  const problem = reader.refusal ?? unfit(args, terminal);
  if (problem !== undefined) return sayRefused(args, terminal, problem);
  const machines = terminal.world('session').machines(args.folder);
  const meant = placesMeant(args, machines);
  if (meant.kind === 'refused') return sayRefused(args, terminal, meant);
  const [, work = DEFAULT_WORK] = args.words;
  const named = sessionName({ repo: machines.repo, work, role });
  if (named.kind === 'refused')
    return sayRefused(args, terminal, { ...named, why: 'usage', code: EXIT.usage });
  const found =
    role === 'human'
      ? await makeOwn(machines, { place: placeOf(args), name: named.name, work })
      : theOnly(
          await findSessionsOfWork(machines, work, { role, places: meant.places }),
          named.name,
        );
  if (found.kind === 'refused') return sayRefused(args, terminal, found);
  return await show({ args, terminal, machines }, found, role);
}

/** Shows what a task does that runs in a session, or has run in one that was kept. */
export async function attachTask(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const problem = unfit(args, terminal);
  if (problem !== undefined) return sayRefused(args, terminal, problem);
  const name = readTaskName(args.words[0] ?? '', args.options);
  if (name.kind === 'refused') return sayRefused(args, terminal, name);
  const machines = terminal.world('attach').machines(args.folder);
  let found: Found | Refused | undefined;
  const use = async ({ board, open }: BoardUse): Promise<ExitCode> => {
    const live = findTask(open.keeper.board, args.folder, name);
    if (live.kind === 'found' && isAtWork(live.entry.state)) {
      const { state, id: task } = live.entry;
      found = asFound(await findLiveSession(machines, { run: live.run.manifest.id, task, state }));
    } else {
      const tried = findAttempt(open, args.folder, name);
      found =
        tried.kind === 'refused'
          ? (whyUnknown({ folder: args.folder, plans: board.plans, name }) ?? tried)
          : asFound(await findEarlierSession(machines, tried));
    }
    return EXIT.done;
  };
  const code = await withBoard(args, terminal, { how: { command: 'attach' }, use });
  if (found === undefined) return code;
  if (found.kind === 'refused') return sayRefused(args, terminal, found);
  return await show({ args, terminal, machines }, found, 'runner');
}

function asFound(found: FoundSession): Found | Refused {
  if (found.kind === 'found') return found;
  return found.kind === 'none' ? refused('no-session', found.message) : unreachable(found.message);
}

async function makeOwn(
  machines: Machines,
  { place, name, work }: { readonly place: string; readonly name: string; readonly work: string },
): Promise<Found | Refused> {
  const key = personKey(machines.board, { repo: machines.repo, work });
  try {
    const sessions = await machines.sessionsAt(place);
    try {
      const made = await sessions.make({ name, key, folder: machines.folderAt(place) });
      if (made.kind === 'there') return { kind: 'found', place, name };
      return refused(
        'no-session',
        WHY_NOT[made.kind](name, made.kind === 'failed' ? made.why : ''),
      );
    } finally {
      sessions.close();
    }
  } catch (error) {
    if (!(error instanceof MachineUnreachable)) throw error;
    return unreachable(error.message);
  }
}

const WHY_NOT = {
  foreign: (name: string) => `There is a session "${name}" already that is not ours.`,
  'no-tmux': () => 'There is no tmux on that machine, and a session needs one.',
  failed: (name: string, why: string) => `tmux made no session "${name}": ${why}`,
} as const;

function theOnly(search: SessionSearch, name: string): Found | Refused {
  const { found } = search;
  if (found.length < 2) return asFound(firstOf(search, `There is no session "${name}".`));
  const places = found.map(({ place }) => place).join(', ');
  const message = `"${name}" is on ${places}. Say which one with --on.`;
  return { kind: 'refused', why: 'ambiguous', message, code: EXIT.usage };
}

async function show(
  { args, terminal, machines }: { args: Arguments; terminal: Terminal; machines: Machines },
  { place, name }: Found,
  role: SessionRole,
): Promise<ExitCode> {
  const { options } = args;
  const isOwn = role === 'human' && options['read-only'] !== true;
  const mode = isOwn || options['write'] === true ? 'write' : 'read';
  if (mode === 'read') terminal.err('To look only: what you type goes nowhere. Ctrl-B D leaves.\n');
  const code = await terminal.handOver(machines.attachment(place, name, mode));
  if (code === 0) return EXIT.done;
  const message = `${place === 'local' ? 'tmux' : `ssh to "${place}"`} ended with exit code ${code}.`;
  return sayRefused(args, terminal, unreachable(message));
}

function placeOf({ options }: Arguments): string {
  return String(options['on'] ?? 'local');
}

/** A terminal is handed over: there must be one, and nothing else is printed. */
function unfit({ isJson }: Arguments, { isAttended }: Terminal): Refused | undefined {
  if (isJson) return usage('A session takes the whole terminal. Leave out --json.');
  if (!isAttended) return usage('A session is shown in a terminal, and there is none here.');
  return undefined;
}

function refused(why: string, message: string): Refused {
  return { kind: 'refused', why, message, code: EXIT.refused };
}

function unreachable(message: string): Refused {
  return { kind: 'refused', why: 'unavailable', message, code: EXIT.unavailable };
}

function usage(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
