import type { ControlReply, TmuxControl } from './tmux-control.ts';

export interface SessionWish {
  readonly name: string;
  /** Whose it is, in full: the session carries it. */
  readonly key: string;
  readonly term: number;
  /** Its command has the terminal of the session. */
  readonly isInTerminal: boolean;
  /** It stays when its command has ended. */
  readonly isKept: boolean;
}

/** What else there may be under the name. */
type Started = { readonly kind: 'started' } | { readonly kind: 'refused'; readonly why: string };

const KEY = '@interlock';

/**
 * Starts a wrapper in a session of its own, once: where the session is there already, it is ours or it
 * is not touched. What is left of an earlier attempt of ours makes room.
 */
export async function startSession(control: TmuxControl, wish: SessionWish): Promise<Started> {
  const created = await create(control, wish);
  if (created === undefined) return { kind: 'started' };
  if (!/^duplicate session/.test(created)) return { kind: 'refused', why: `tmux says: ${created}` };
  const owner = await ownerOf(control, wish.name);
  if (owner === wish.key) return { kind: 'started' };
  if (owner?.startsWith(boardOf(wish.key)) !== true)
    return { kind: 'refused', why: `There is a session "${wish.name}" already that is not ours.` };
  await control.ask(['kill-session', '-t', `=${wish.name}:`]);
  const again = await create(control, wish);
  return again === undefined
    ? { kind: 'started' }
    : { kind: 'refused', why: `tmux says: ${again}` };
}

async function create(
  control: TmuxControl,
  { name, key, term, isInTerminal, isKept }: SessionWish,
): Promise<string | undefined> {
  const target = ['-t', `=${name}:`];
  const wrapper = ['/bin/sh', './wrapper-1', String(term)];
  const replies = await control.ask(
    ['new-session', '-d', '-s', name, '-x', '200', '-y', '50', ...wrapper],
    ['set-option', ...target, KEY, key],
    ...(isKept ? [['set-option', ...target, 'remain-on-exit', 'on']] : []),
    ...(isInTerminal ? [['pipe-pane', ...target, '-O', `exec cat >>t/${term}/log`]] : []),
  );
  // It may have ended before the others were carried out.
  return replies[0]?.succeeded === true ? undefined : textOf(replies[0]);
}

async function ownerOf(control: TmuxControl, name: string): Promise<string | undefined> {
  const [reply] = await control.ask(['show-options', '-v', '-t', `=${name}:`, KEY]);
  return reply?.succeeded === true ? reply.lines[0] : undefined;
}

function boardOf(key: string): string {
  return key.slice(0, key.indexOf(':') + 1);
}

function textOf(reply: ControlReply | undefined): string {
  return reply?.lines.join(' ') || 'nothing';
}
