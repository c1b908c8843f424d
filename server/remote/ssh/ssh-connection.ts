import { setTimeout as delay } from 'node:timers/promises';
import ssh2, { type Client, type ClientChannel } from 'ssh2';
import { displayText, inShort } from '../../domain/display-text.ts';
import { type Channel, LinkError } from '../channel.ts';
import { type Offer, offerTo } from './algorithms.ts';
import { readHostKey } from './host-key.ts';
import { hostKeyProblem } from './host-key-error.ts';
import { type Identity, readIdentities } from './identities.ts';
import { KnownHost } from './known-hosts-files.ts';
import { NoRoom } from './no-room.ts';
import type { SshConfig } from './ssh-config.ts';
import { SshChannel } from './ssh-channel.ts';
import { SshLogin } from './ssh-login.ts';
import { openWire, type Wire, type WireOptions } from './ssh-wire.ts';

/**
 * What is run on a host, whatever its user has for a login shell: all of them take a word in single
 * quotes. sshd does not end what runs when the connection does; the first part of the pipe sees that and
 * ends the group of this channel. Where sshd makes no group of it, there is none to end.
 */
const COMMAND = "exec /bin/sh -c '{ cat; kill -TERM -$$; } | { /bin/sh; kill -TERM -$$; }'";

const READY_MS = 20_000;
const BEAT = { everyMs: 15_000, most: 3 };

interface SshConnectionOptions extends WireOptions {
  readonly signal: AbortSignal;
  /** No channel may be had any more. */
  readonly onEnded: () => void;
}

interface Prepared {
  readonly known: KnownHost;
  readonly offer: Offer;
  readonly identities: readonly Identity[];
  readonly options: SshConnectionOptions;
}

type Phase = 'reaching' | 'greeting' | 'logging-in' | 'ready' | 'closed';

/** One connection to a host, with a shell for each channel. */
export class SshConnection {
  readonly #config: SshConfig;
  readonly #client: Client = new ssh2.Client();
  readonly #wire: Wire;
  readonly #signal: AbortSignal;
  readonly #onEnded: () => void;
  readonly #close = (): void => this.#fail(this.#unreached(CLOSED), CLOSED);
  readonly #ready = Promise.withResolvers<void>();
  /** Rejects when the connection has ended. */
  readonly #gone = Promise.withResolvers<never>();
  readonly #channels = new Set<SshChannel>();
  readonly #login: SshLogin;
  #phase: Phase = 'reaching';
  #hasHadRoom = false;
  readonly #opening = new Set<Promise<ClientChannel>>();
  /** The first of what went wrong; what follows only follows from it. */
  #problem: LinkError | undefined;

  private constructor(config: SshConfig, { known, offer, identities, options }: Prepared) {
    this.#config = config;
    this.#login = new SshLogin(config, identities, () => this.#fail(this.#login.refusal()));
    [this.#signal, this.#onEnded] = [options.signal, options.onEnded];
    this.#gone.promise.catch(() => {});
    this.#wire = openWire(config, options);
    this.#listen();
    this.#signal.addEventListener('abort', this.#close);
    this.#client.connect({
      sock: this.#wire.stream,
      username: config.user,
      authHandler: this.#login.handler,
      // Never a promise: whatever is not `false` is a yes.
      hostVerifier: (blob: Buffer, answer: (isKnown: boolean) => void): void => {
        answer(this.#verify(blob, known));
      },
      algorithms: offer,
      readyTimeout: config.connectTimeoutMs ?? READY_MS,
      keepaliveInterval: config.beat?.everyMs ?? BEAT.everyMs,
      keepaliveCountMax: config.beat?.most ?? BEAT.most,
      agentForward: false,
      tryKeyboard: false,
    });
  }

  /** Throws `LinkError`. */
  static async open(config: SshConfig, options: SshConnectionOptions): Promise<SshConnection> {
    const known = await KnownHost.read(config);
    const offer = offerTo(config, known.types);
    if (typeof offer === 'string') throw new LinkError(offer, { mayPass: false });
    const identities = await readIdentities(config.identityFiles);
    // Nobody hears of what was said before he listened.
    if (options.signal.aborted) throw new LinkError('It was closed.', { mayPass: true });
    const connection = new SshConnection(config, { known, offer, identities, options });
    await Promise.race([connection.#ready.promise, connection.#gone.promise]);
    return connection;
  }

  /** A shell on the host. Throws `LinkError`. */
  async channel(): Promise<Channel> {
    const opening = this.#exec();
    const answered = new AbortController();
    const late = delay(READY_MS, undefined, { signal: answered.signal }).then(
      () => this.#fail(this.#unreached('it does not answer'), 'it does not answer'),
      // It has answered in time.
      () => {},
    );
    try {
      const channel = new SshChannel(await Promise.race([opening, this.#gone.promise]), () =>
        this.#channels.delete(channel),
      );
      this.#channels.add(channel);
      return channel;
    } finally {
      answered.abort();
      await late;
    }
  }

  async #exec(): Promise<ClientChannel> {
    if (this.#phase !== 'ready') throw this.#problem ?? this.#unreached(CLOSED);
    const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
    const before = [...this.#opening];
    this.#opening.add(promise);
    try {
      this.#client.exec(COMMAND, (cause, stream) => {
        this.#hasHadRoom ||= cause === undefined;
        if (cause === undefined) resolve(stream);
        // Whether there is room for any is known when those before it have heard.
        else
          void Promise.allSettled(before).then(() => reject(this.#problem ?? this.#refused(cause)));
      });
      return await promise;
    } finally {
      this.#opening.delete(promise);
    }
  }

  #listen(): void {
    const client = this.#client;
    client.on('connect', () => this.#enter('greeting'));
    // Once; from time to time there is another one, for new keys of what goes over the wire.
    client.once('handshake', () => this.#enter('logging-in'));
    client.on('ready', () => {
      this.#enter('ready');
      this.#ready.resolve();
    });
    client.on('error', (error: SshError) => {
      // The next key is tried then.
      if (error.level === 'agent') this.#login.agentFailed();
      else this.#fail(this.#explained(error), `the connection broke: ${this.#reason(error)}`);
    });
    client.on('close', () => {
      const why = 'the other side has ended the connection';
      this.#fail(this.#unreached(why), why);
    });
  }

  #enter(phase: Phase): void {
    if (this.#phase !== 'closed') this.#phase = phase;
  }

  #verify(blob: Buffer, known: KnownHost): boolean {
    const key = readHostKey(blob);
    const problem =
      key === undefined
        ? new LinkError(`${this.#config.destination} shows no key.`, { mayPass: false })
        : hostKeyProblem(this.#config.destination, known, key);
    if (problem !== undefined) this.#fail(problem);
    return problem === undefined;
  }

  /** `why` is a clause. */
  #fail(problem: LinkError, why = problem.message): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#problem = problem;
    this.#signal.removeEventListener('abort', this.#close);
    this.#gone.reject(problem);
    this.#onEnded();
    for (const channel of this.#channels) channel.lose(why);
    this.#client.end();
    this.#wire.stream.destroy();
  }

  #unreached(why: string): LinkError {
    const { destination, hostname, port } = this.#config;
    const said = this.#wire.said();
    return new LinkError(
      `${destination} does not answer (${hostname} port ${port}): ${why}.${said === '' ? '' : ` Its proxy said: ${said}.`} Check that "ssh ${destination}" works in a terminal.`,
      { mayPass: true },
    );
  }

  /** What has gone wrong before there was a connection, or with it. */
  #explained(error: SshError): LinkError {
    const { destination } = this.#config;
    const reason = this.#reason(error);
    if (this.#phase === 'ready') return this.#unreached(reason);
    if (error.level === 'handshake')
      return new LinkError(`There is no agreement with ${destination} on how to talk: ${reason}.`, {
        mayPass: false,
        cause: error,
      });
    if (typeof error.code !== 'number') return this.#unreached(reason);
    return new LinkError(
      `${destination} has ended the connection: ${reason}. Check that "ssh ${destination}" works in a terminal.`,
      { mayPass: !REFUSALS.has(error.code), cause: error },
    );
  }

  #reason(error: SshError): string {
    if (error.level === 'client-timeout')
      return this.#phase === 'ready' ? 'it says nothing any more' : 'it does not answer in time';
    return REASONS[error.code ?? ''] ?? (inShort(displayText(error.message)) || 'it failed');
  }

  /** One connection has room for so many channels, and some hosts for none. */
  #refused(cause: Error): LinkError {
    const { destination } = this.#config;
    const isFull = 'reason' in cause;
    if (isFull && this.#hasHadRoom)
      return new NoRoom(`${destination} allows no more channels on this connection.`, cause);
    return new LinkError(
      isFull
        ? `${destination} allows no channels. Raise MaxSessions in its sshd_config.`
        : `${destination} runs no shell for ${this.#config.user}.`,
      { mayPass: false, cause },
    );
  }
}

interface SshError extends Error {
  readonly level?: string;
  /** Of the operating system a word, of the other side a number. */
  readonly code?: string | number;
}

/** Not allowed to connect, a mistake (also too many keys), cancelled, no way left, no such user: RFC 4253. */
const REFUSALS: ReadonlySet<number> = new Set([1, 2, 13, 14, 15]);

const CLOSED = 'it was closed';

const REASONS: Readonly<Record<string | number, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it does not answer in time',
  ENOENT: 'the program of its proxy is not there',
};
