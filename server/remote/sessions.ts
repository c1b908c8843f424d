import { assert } from '../domain/assert.ts';
import { inShort } from '../domain/display-text.ts';
import { readSessionName } from '../domain/session-name.ts';
import type {
  Session,
  SessionEnding,
  SessionMaking,
  Sessions,
  SessionsSeen,
  SessionWanted,
} from '../board/session-ports.ts';
import type { Link } from './channel.ts';
import { HostShell } from './host-shell.ts';
import { SESSION_SCRIPT } from './session-script.ts';

export interface SessionsOptions {
  readonly link: Link;
  /** What keys of its sessions begin with. */
  readonly board: string;
  /** What the machine calls the board. */
  readonly word: string;
  /** A word that nobody else says by chance. */
  readonly hello: string;
}

/**
 * The sessions of one board on one machine, by a shell of its own: whoever runs tasks there is not
 * disturbed, and need not be there.
 */
export class MachineSessions implements Sessions {
  readonly #shell: HostShell;
  readonly #board: string;
  readonly #word: string;
  readonly #mark: string;
  readonly #link: Link;

  private constructor(shell: HostShell, { link, board, word, hello }: SessionsOptions) {
    this.#link = link;
    this.#shell = shell;
    this.#board = board;
    this.#word = word;
    this.#mark = hello;
  }

  /** Throws `LinkError` or `ShellLost` where the machine is out of reach. */
  static async reach(options: SessionsOptions): Promise<MachineSessions> {
    const { link, hello } = options;
    const channel = await link.open();
    const shell = await HostShell.greet(channel, { hello, onLost: () => {}, answerMs: ANSWER_MS });
    channel.write(SESSION_SCRIPT);
    return new MachineSessions(shell, options);
  }

  async list(): Promise<SessionsSeen> {
    const { status, lines } = await this.#shell.ask('il_sessions', this.#word, this.#mark);
    if (status === NO_TMUX) return { kind: 'no-tmux' };
    const [now = '', ...rest] = lines;
    const start = `${this.#mark}:`;
    const read = rest
      .filter((line) => line.startsWith(start))
      .flatMap((line) => readSession(line.slice(start.length), this.#board));
    return {
      kind: 'seen',
      now: Number(now) * SECOND,
      sessions: read.filter((each) => typeof each !== 'string').toSorted(byName),
      foreign: read.filter((each) => typeof each === 'string').toSorted(),
    };
  }

  async make({ name, key, folder }: SessionWanted): Promise<SessionMaking> {
    assert(isSessionKey(key) && readSessionName(name) !== undefined, 'tmux reads plain words only');
    const { status, lines } = await this.#shell.ask(
      'il_make_session',
      this.#word,
      name,
      key,
      folder,
    );
    if (status === 0) return { kind: 'there' };
    if (status === NO_TMUX) return { kind: 'no-tmux' };
    return status === NOT_OURS
      ? { kind: 'foreign' }
      : { kind: 'failed', why: inShort(lines.join(' ')) };
  }

  async end({ name, key }: Pick<Session, 'name' | 'key'>): Promise<SessionEnding> {
    assert(isSessionKey(key) && readSessionName(name) !== undefined, 'tmux reads plain words only');
    const { status } = await this.#shell.ask('il_end_session', this.#word, name, key);
    return status === 0 ? 'ended' : status === NOT_OURS ? 'foreign' : 'gone';
  }

  close(): void {
    this.#shell.close();
    this.#link.close();
  }
}

const SECOND = 1000;
/** Somebody looks at it meanwhile. */
const ANSWER_MS = 30_000;
const [NO_TMUX, NOT_OURS] = [3, 5];

/** Sessions by which tasks are started, or that run those without one; they come and go with us. */
const CONTROL = /^interlock-(?:control|slot)-\d+$/;
const LINE = /^(\d+):(\d*):(\d*):(\d+):([01]):([^:]*):(.*)$/;

/** A name alone is of a session that is not ours; nothing is one that nobody looks at. */
function readSession(line: string, board: string): readonly (Session | string)[] {
  const [, created, seen, printed, clients, dead, name = '', key = ''] = LINE.exec(line) ?? [];
  if (created === undefined || CONTROL.test(name)) return [];
  const named = readSessionName(name);
  if (named === undefined || !isSessionKey(key) || !key.startsWith(`${board}:`)) return [name];
  const [createdAt, seenAt] = [Number(created), Math.max(Number(seen), Number(printed))];
  return [
    {
      name,
      key,
      ...named,
      createdAt: createdAt * SECOND,
      changedAt: Math.max(createdAt, seenAt) * SECOND,
      clients: Number(clients),
      isOver: dead === '1',
    },
  ];
}

/** Whether tmux reads it as the text that it is. */
function isSessionKey(key: string): boolean {
  return /^[\w:.%-]+$/.test(key);
}

function byName(one: Session, other: Session): number {
  return one.name < other.name ? -1 : 1;
}
