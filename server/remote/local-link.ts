import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { type Channel, type ChannelListener, type Link, LinkError } from './channel.ts';

/** This machine, by a shell of its own. */
export function localLink(env: NodeJS.ProcessEnv): Link {
  return {
    open: async () => {
      try {
        return await openShell(env);
      } catch (cause) {
        // There may be room for another process or file a moment later.
        const message = `This machine could not start a shell: ${String(cause)}.`;
        throw new LinkError(message, { mayPass: true, cause });
      }
    },
    close: () => {},
  };
}

async function openShell(env: NodeJS.ProcessEnv): Promise<Channel> {
  const shell = spawn('/bin/sh', [], {
    argv0: 'sh',
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const channel = new ProcessChannel(shell);
  await new Promise<void>((resolve, reject) => {
    shell.once('spawn', resolve);
    shell.once('error', reject);
  });
  return channel;
}

class ProcessChannel implements Channel {
  readonly #shell: ReturnType<typeof spawn>;
  /** Node throws away what a process has printed and nobody has read when it ends. */
  readonly #out = new PassThrough();

  constructor(shell: ReturnType<typeof spawn>) {
    this.#shell = shell;
    shell.stdin?.on('error', () => {});
    shell.stdout?.on('error', () => {});
    shell.stdout?.pipe(this.#out);
    shell.once('close', () => this.#out.end());
  }

  write(text: string | Buffer): void {
    this.#shell.stdin?.write(text);
  }

  listen({ onBytes, onClosed }: ChannelListener): void {
    this.#out.on('data', onBytes);
    this.#out.once('end', () => onClosed('its shell has ended'));
  }

  /** It leads a group of its own, with whatever it waits for. */
  close(): void {
    this.#shell.stdin?.end();
    const { pid } = this.#shell;
    if (pid !== undefined && this.#shell.exitCode === null)
      try {
        process.kill(-pid, 'SIGTERM');
      } catch {
        // It has ended by itself.
      }
  }
}
