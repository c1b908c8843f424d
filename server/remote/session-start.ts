import { displayText, inShort } from '../domain/display-text.ts';
import { WRAPPER } from './host-script.ts';
import type { ControlReply, TmuxControl } from './tmux-control.ts';

export interface SessionWish {
  /** What it is called; and what else, where a task of another run has that name now. */
  readonly names: readonly [name: string, other: string];
  /** Whose it is, in full: the session carries it. */
  readonly key: string;
  /** Its command has the terminal of the session; otherwise it needs none. */
  readonly isInTerminal: boolean;
  /** It stays when its command has ended. */
  readonly isKept: boolean;
}

type Started =
  | { readonly kind: 'started'; readonly name: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

/** What tmux says of it, where it is not there after that. */
type Created = { readonly isThere: true } | { readonly isThere: false; readonly why: string };

const KEY = '@interlock';
const THERE: Created = { isThere: true };

/**
 * Starts a wrapper in a session of its own, once. Where there is one of that name, it is this attempt's,
 * or one of ours whose command has ended, which makes room, or it is not touched.
 */
export async function startSession(
  control: TmuxControl,
  wish: SessionWish & { readonly term: number },
): Promise<Started> {
  let message = '';
  for (const name of wish.names) {
    let created = await create(control, name, wish);
    if (!created.isThere && isTaken(created.why)) {
      const found = await look(control, name, wish.key);
      if (found === 'ours') return { kind: 'started', name };
      if (found === 'spent') await control.ask(['kill-session', '-t', `=${name}:`]);
      if (found !== 'busy') created = await create(control, name, wish);
    }
    if (created.isThere) return { kind: 'started', name };
    message = isTaken(created.why)
      ? `There are sessions called "${wish.names.join('" and "')}" already.`
      : `tmux says: ${created.why}.`;
  }
  return { kind: 'refused', message };
}

async function create(
  control: TmuxControl,
  name: string,
  { key, term, isKept }: SessionWish & { readonly term: number },
): Promise<Created> {
  const target = ['-t', `=${name}:`];
  const wrapper = ['/bin/sh', `./${WRAPPER}`, 'alone', String(term)];
  const [reply] = await control.ask(
    ['new-session', '-d', '-s', name, '-x', '200', '-y', '50', ...wrapper],
    ['set-option', ...target, KEY, key],
    ...(isKept ? [['set-option', ...target, 'remain-on-exit', 'on']] : []),
    ['pipe-pane', ...target, '-O', `exec cat >>t/${term}.log`],
  );
  // It may have ended before the others were carried out.
  return reply?.succeeded === true ? THERE : { isThere: false, why: textOf(reply) };
}

function isTaken(why: string): boolean {
  return why.startsWith('duplicate session');
}

/** Whose a session is; nothing where it is gone meanwhile. */
async function look(
  control: TmuxControl,
  name: string,
  key: string,
): Promise<'ours' | 'spent' | 'busy' | undefined> {
  const target = ['-t', `=${name}:`];
  const [owner, pane] = await control.ask(
    ['show-options', '-v', ...target, KEY],
    ['display-message', '-p', ...target, '#{pane_dead}'],
  );
  if (owner === undefined) return undefined;
  if (owner.succeeded && owner.lines[0] === key) return 'ours';
  if (!owner.succeeded) return /can.t find session/.test(textOf(owner)) ? undefined : 'busy';
  const isOurs = owner.lines[0]?.startsWith(boardOf(key)) === true;
  return isOurs && pane?.lines[0] === '1' ? 'spent' : 'busy';
}

function boardOf(key: string): string {
  return key.slice(0, key.indexOf(':') + 1);
}

/** In one line, and in short: it becomes part of a message. */
export function textOf(reply: ControlReply | undefined): string {
  return inShort(displayText(reply?.lines.join(' ') ?? '')) || 'nothing';
}
