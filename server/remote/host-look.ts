import { displayText, inShort } from '../domain/display-text.ts';
import type { HostDefinition } from '../domain/host.ts';
import type { HostAnswers, HostLook, HostLogin } from '../doctor/host-checks.ts';
import { type Channel, type ChannelListener, type Link, LinkError } from './channel.ts';
import { CHECK_SCRIPT } from './check-script.ts';
import { HostShell, ShellLost } from './host-shell.ts';

export interface HostLookParts {
  readonly host: HostDefinition;
  readonly link: Link;
  /** What ssh makes of it, as a clause. Throws `LinkError`. */
  readonly wayTo: (host: HostDefinition) => Promise<string>;
  /** Whether somebody could trust the key that an error is about; nothing where it is about no key. */
  readonly isKeyOffered: (error: LinkError) => boolean | undefined;
  /** A word that nobody else says by chance. */
  readonly hello: string;
  readonly clock: { now(): number; elapsedMs(): number };
  readonly signal: AbortSignal;
}

/** Goes to a host by a way of its own, asks it what there is to know, and leaves. */
export async function lookAtHost(parts: HostLookParts): Promise<HostLook> {
  const { host, wayTo, link, signal } = parts;
  const late = Promise.withResolvers<Logged>();
  const leave = (): void => late.resolve({ login: { kind: 'failed', message: LATE } });
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const value = await wayTo(host);
    const logged = await Promise.race([late.promise, logIn(parts)]);
    return { host, way: { kind: 'known', value }, ...logged };
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    return { host, way: { kind: 'failed', message: error.message } };
  } finally {
    signal.removeEventListener('abort', leave);
    link.close();
  }
}

const LATE = 'It does not answer in time.';

type Logged = Pick<HostLook, 'login' | 'answers'>;

async function logIn({ host, link, hello, clock, isKeyOffered }: HostLookParts): Promise<Logged> {
  const startedAt = clock.elapsedMs();
  let shell: HostShell | undefined;
  try {
    const channel = new NoisyChannel(await link.open(), hello);
    shell = await HostShell.greet(channel, { hello, onLost: () => {} });
    const login: HostLogin = { tookMs: clock.elapsedMs() - startedAt, noise: channel.noise };
    const known = { kind: 'known', value: login } as const;
    channel.write(CHECK_SCRIPT);
    const askedAt = clock.now();
    const { status, lines } = await shell.ask('il_check', host.folder);
    const heardAt = clock.now();
    if (status !== 0) return { login: known };
    return { login: known, answers: readAnswers(lines, { askedAt, heardAt }) };
  } catch (error) {
    if (error instanceof ShellLost) return { login: { kind: 'failed', message: lost(error) } };
    if (!(error instanceof LinkError)) throw error;
    const { message } = error;
    const isOffered = isKeyOffered(error);
    if (isOffered === undefined) return { login: { kind: 'failed', message } };
    return { login: { kind: 'failed', message, isKeyOffered: isOffered } };
  } finally {
    shell?.close();
  }
}

function lost({ message }: ShellLost): string {
  return `It let us in, and then ${message}.`;
}

/** The time that it says was then between the two. */
function readAnswers(
  lines: readonly string[],
  { askedAt, heardAt }: { readonly askedAt: number; readonly heardAt: number },
): HostAnswers {
  const said = new Map(lines.map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ ?/, '')]));
  const text = (name: string): string => inShort(said.get(name) ?? '', FACT_LENGTH);
  const number = (name: string): number => (text(name) === '' ? NaN : Number(text(name)));
  return {
    user: text('user'),
    shell: text('shell'),
    system: text('system'),
    home: text('home'),
    state: text('state'),
    tmux: text('tmux'),
    git: text('git'),
    rsync: text('rsync'),
    hasSetsid: said.has('setsid'),
    cpus: number('cpus') || 0,
    memoryBytes: number('memory') || 0,
    load: number('load') || 0,
    folder: text('folder'),
    freeBytes: number('disk') * 1024,
    aheadMs: aheadOf(number('time') * 1000, { askedAt, heardAt }),
  };
}

/** Seconds are cut off there: within one it may be anything. */
function aheadOf(
  told: number,
  { askedAt, heardAt }: { readonly askedAt: number; readonly heardAt: number },
): number {
  if (told > heardAt) return told - heardAt;
  const until = told + 999;
  return Number.isNaN(told) ? told : Math.min(0, until - askedAt);
}

/** Keeps a little of what comes before the greeting. */
class NoisyChannel implements Channel {
  readonly #channel: Channel;
  readonly #hello: string;
  #heard = '';

  constructor(channel: Channel, hello: string) {
    this.#channel = channel;
    this.#hello = hello;
  }

  /** In one line, and in short. */
  get noise(): string {
    const before = this.#heard.split(this.#hello, 1)[0] ?? '';
    return inShort(displayText(before.trim()), NOISE_LENGTH);
  }

  write(text: string): void {
    this.#channel.write(text);
  }

  listen({ onBytes, onClosed }: ChannelListener): void {
    this.#channel.listen({
      onClosed,
      onBytes: (bytes) => {
        const room = NOISE_LIMIT - this.#heard.length;
        if (room > 0) this.#heard += bytes.subarray(0, room).toString('utf8');
        onBytes(bytes);
      },
    });
  }

  close(): void {
    this.#channel.close();
  }
}

const NOISE_LENGTH = 120;
const FACT_LENGTH = 1000;
const NOISE_LIMIT = 4096;
