/**
 * What a session is called: `aivcs__REPO__WORK__ROLE`. Anybody who reads a list of sessions knows by it
 * what they see, and whoever looks for a session finds it without a list.
 */
export interface SessionKey {
  readonly repo: string;
  /** The task, or what a person calls what they do. */
  readonly work: string;
  readonly role: SessionRole;
}

/**
 * How long a session lives: one of an `agent` stays when its command has ended, one of a `runner` goes
 * when its task is final, and one of a `human` is never ended but by name.
 */
export type SessionRole = (typeof SESSION_ROLES)[number];

export const SESSION_ROLES = ['agent', 'runner', 'human'] as const;

type SessionName =
  | { readonly kind: 'named'; readonly name: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

const PREFIX = 'aivcs';
const SEPARATOR = '__';
const MOST_CHARACTERS = 100;

/** Invariant: keys that differ in more than case do not share a name, but for a hash that meets. */
export function sessionName({ repo, work, role }: SessionKey): SessionName {
  const problem = faultOf('repository', repo) ?? faultOf('work', work);
  if (problem !== undefined) return { kind: 'refused', message: problem };
  const parts = [PREFIX, partOf(repo), partOf(work), role];
  return { kind: 'named', name: parts.join(SEPARATOR) };
}

/** The parts of a name, as they stand in it; nothing where it is not one of ours. */
export function readSessionName(name: string): SessionKey | undefined {
  const [prefix, repo = '', work = '', last, ...more] = name.split(SEPARATOR);
  const role = SESSION_ROLES.find((each) => each === last);
  if (prefix !== PREFIX || role === undefined || more.length > 0) return undefined;
  return isPart(repo) && isPart(work) ? { repo, work, role } : undefined;
}

/** The full key of a session of a person, which it carries beside its name. */
export function personKey(board: string, { repo, work }: Omit<SessionKey, 'role'>): string {
  return [board, 'human', escaped(repo), escaped(work)].join(':');
}

function escaped(text: string): string {
  return text.replace(/[^\w.-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function faultOf(what: string, part: string): string | undefined {
  const named = `The name of the ${what}`;
  if (part === '') return `${named} is empty, and a session is named after it.`;
  if (part.length > MOST_CHARACTERS)
    return `${named} has more than ${MOST_CHARACTERS} characters, and a session is named after it.`;
  const wrong = ['..', '/'].find((each) => part.includes(each));
  if (wrong === undefined) return undefined;
  return `${named} has "${wrong}" in it, and a session is named after it.`;
}

function partOf(text: string): string {
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const plain = folded.replace(/[^a-z0-9_-]/g, '-').replace(AMBIGUOUS, '-');
  // What looks as though it had a hash gets one as well: no text is what another one becomes.
  return plain === folded && !HASHED.test(plain) ? plain : `${plain}-${hashOf(text)}`;
}

/** Signs that could be taken for a part of the separator. */
const AMBIGUOUS = /^_|_$|_(?=_)|(?<=_)_/g;
const HASHED = /-[0-9a-f]{6}$/;

function isPart(part: string): boolean {
  return /^[a-z0-9-](?:[a-z0-9_-]*[a-z0-9-])?$/.test(part);
}

/** FNV-1a of 32 bits, folded into 24. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return ((hash >>> 24) ^ (hash & 0xffffff)).toString(16).padStart(6, '0');
}
