import os from 'node:os';
import { type Channel, type Link, LinkError } from '../channel.ts';
import { NoRoom } from './no-room.ts';
import type { SshSurroundings } from './ssh-config.ts';
import type { SshConnection } from './ssh-connection.ts';
import { resolveHost } from './system-ssh.ts';

export interface SshLinkOptions {
  /** Of the user: where programs are found, and the agent. */
  readonly env: NodeJS.ProcessEnv;
  /** The `ssh` that knows the user's configuration. */
  readonly program?: string;
  /** Instead of the user's own configuration. */
  readonly configFile?: string;
}

/**
 * A machine that the user gets to by `ssh DESTINATION`. Nothing is looked up and nobody is connected to
 * before a channel is wanted; after a connection has ended the next channel makes another one, and so
 * does one that the others have no room for.
 */
export function sshLink(destination: string, options: SshLinkOptions): Link {
  return new SshLink(destination, options);
}

class SshLink implements Link {
  readonly #destination: string;
  readonly #options: SshLinkOptions;
  readonly #closing = new AbortController();
  #renewing = new AbortController();
  /** Whoever comes while one is being made waits for it. */
  readonly #connections = new Set<Promise<SshConnection>>();

  constructor(destination: string, options: SshLinkOptions) {
    this.#destination = destination;
    this.#options = options;
  }

  async open(): Promise<Channel> {
    const full = new Set<Promise<SshConnection>>();
    for (;;) {
      const connecting = [...this.#connections].find((each) => !full.has(each)) ?? this.#begin();
      const connection = await connecting;
      try {
        return await connection.channel();
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        full.add(connecting);
      }
    }
  }

  renew(): void {
    this.#renewing.abort();
    this.#renewing = new AbortController();
  }

  close(): void {
    this.#closing.abort();
  }

  #begin(): Promise<SshConnection> {
    const connecting = Promise.resolve().then(
      async () => await this.#connect(() => this.#connections.delete(connecting)),
    );
    this.#connections.add(connecting);
    return connecting;
  }

  async #connect(onEnded: () => void): Promise<SshConnection> {
    const { env, program = 'ssh', configFile } = this.#options;
    const ssh = configFile === undefined ? { program } : { program, configFile };
    const signal = AbortSignal.any([this.#closing.signal, this.#renewing.signal]);
    try {
      const config = await resolveHost(this.#destination, { ...ssh, signal }, surroundingsOf(env));
      // Loaded only where somebody has hosts.
      const { SshConnection: Connection } = await import('./ssh-connection.ts');
      if (signal.aborted) throw new LinkError('It was closed.', { mayPass: true });
      return await Connection.open(config, { ssh, env, signal, onEnded });
    } catch (error) {
      onEnded();
      throw error;
    }
  }
}

export function surroundingsOf(env: NodeJS.ProcessEnv): SshSurroundings {
  const { username, homedir, uid } = thisUser();
  // OpenSSH does not ask the environment where home is.
  return { env, home: homedir, localUser: username, localHost: os.hostname(), uid };
}

function thisUser(): os.UserInfo<string> {
  try {
    return os.userInfo();
  } catch (cause) {
    // As in a container whose user somebody has only given a number.
    const message = 'This machine knows no name and home of you, and ssh needs both.';
    throw new LinkError(message, { mayPass: false, cause });
  }
}
