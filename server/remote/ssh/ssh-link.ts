import os from 'node:os';
import { type Channel, type Link, LinkError } from '../channel.ts';
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
  /** Small messages do not wait for the answer to the one before. */
  readonly isNoDelay?: boolean;
}

/**
 * A machine that the user gets to by `ssh DESTINATION`. Nothing is looked up and nobody is connected to
 * before a channel is wanted; after a connection has ended the next channel makes another one.
 */
export function sshLink(destination: string, options: SshLinkOptions): Link {
  return new SshLink(destination, options);
}

class SshLink implements Link {
  readonly #destination: string;
  readonly #options: SshLinkOptions;
  readonly #closing = new AbortController();
  /** One for all channels; whoever comes while it is being made waits for it. */
  #connection: Promise<SshConnection> | undefined;

  constructor(destination: string, options: SshLinkOptions) {
    this.#destination = destination;
    this.#options = options;
  }

  async open(): Promise<Channel> {
    this.#connection ??= this.#connect();
    const connection = await this.#connection;
    return await connection.channel();
  }

  close(): void {
    this.#closing.abort();
  }

  async #connect(): Promise<SshConnection> {
    const { env, program = 'ssh', configFile, isNoDelay = true } = this.#options;
    const ssh = configFile === undefined ? { program } : { program, configFile };
    const { signal } = this.#closing;
    const forget = (): void => {
      this.#connection = undefined;
    };
    try {
      const config = await resolveHost(this.#destination, ssh, surroundingsOf(env));
      // Loaded only where somebody has hosts.
      const { SshConnection: Connection } = await import('./ssh-connection.ts');
      if (signal.aborted) throw new LinkError('It was closed.', { mayPass: true });
      return await Connection.open(config, { ssh, env, isNoDelay, signal, onEnded: forget });
    } catch (error) {
      forget();
      throw error;
    }
  }
}

export function surroundingsOf(env: NodeJS.ProcessEnv): SshSurroundings {
  const { username, homedir, uid } = os.userInfo();
  // OpenSSH does not ask the environment where home is.
  return { env, home: homedir, localUser: username, localHost: os.hostname(), uid };
}
