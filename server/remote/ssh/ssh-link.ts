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
  #renewing = new AbortController();
  /** One for all channels; whoever comes while it is being made waits for it. */
  #connection: Promise<SshConnection> | undefined;

  constructor(destination: string, options: SshLinkOptions) {
    this.#destination = destination;
    this.#options = options;
  }

  async open(): Promise<Channel> {
    const connection = await (this.#connection ?? this.#begin());
    return await connection.channel();
  }

  renew(): void {
    this.#renewing.abort();
    this.#renewing = new AbortController();
  }

  close(): void {
    this.#closing.abort();
  }

  async #begin(): Promise<SshConnection> {
    const connecting = this.#connect(() => {
      if (this.#connection === connecting) this.#connection = undefined;
    });
    this.#connection = connecting;
    return await connecting;
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
  const { username, homedir, uid } = os.userInfo();
  // OpenSSH does not ask the environment where home is.
  return { env, home: homedir, localUser: username, localHost: os.hostname(), uid };
}
