import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, LEASH, SSHD } from '../sshd.ts';
import { newHome } from './host-home.ts';
import { killCommands, type LabCommand, runningCommands } from './lab-command.ts';
import type { HostParts, LabHost } from './lab-host.ts';
import { LabProcess } from './lab-process.ts';
import { Relay } from './relay.ts';

/**
 * Stands for a machine where none of their own can be made: an sshd of this user on 127.0.0.1, with a
 * home folder, a temporary folder and a tmux of its own. All that runs there has its home folder in the
 * environment, by which it is found.
 */
export class LoopbackHost implements LabHost {
  readonly name: string;
  readonly cable: Relay;
  readonly address = '127.0.0.1';
  readonly user = os.userInfo().username;
  readonly publicKey: string;
  readonly home: string;
  readonly #temporary: string;
  #sshd: LabProcess | undefined;

  private constructor({ name, folder }: HostParts, publicKey: string, cable: Relay) {
    [this.name, this.cable, this.publicKey] = [name, cable, publicKey];
    this.home = path.join(folder, 'home');
    this.#temporary = path.join(folder, 'tmp');
  }

  /** It is off until it is started. */
  static async open(parts: HostParts): Promise<LoopbackHost> {
    const { folder, shell = '/bin/sh' } = parts;
    const inFolder = (name: string): string => path.join(folder, name);
    const homeThere = inFolder('home');
    const publicKey = newHome(parts, {
      homeThere,
      sshd: ['PidFile none', `ForceCommand ${sessionOf(homeThere, shell)}`],
      environment: {
        HOME: homeThere,
        SHELL: shell,
        TMPDIR: inFolder('tmp'),
        PATH: `${inFolder('bin')}:${process.env['PATH']}`,
      },
    });
    mkdirSync(inFolder('bin'));
    writeFileSync(path.join(folder, 'bin', 'tmux'), tmuxIn(inFolder('tmp')), { mode: 0o755 });
    return new LoopbackHost(parts, publicKey, await Relay.open());
  }

  get port(): number {
    return this.cable.port;
  }

  get homeThere(): string {
    return this.home;
  }

  /** The start has no id of its own: there is only that of this machine. */
  async boot(): Promise<void> {
    rmSync(this.#temporary, { recursive: true, force: true });
    mkdirSync(this.#temporary);
    // It wants the folder, even where it is told to use none.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    this.cable.target = await freePort();
    const where = `ListenAddress=${this.address}:${this.cable.target}`;
    const config = path.join(this.home, '.sshd', 'config');
    const words = [...LEASH, SSHD, '-D', '-e', '-o', where, '-f', config];
    this.#sshd = new LabProcess('env', words);
    await this.#sshd.said('Server listening');
    this.cable.mend();
  }

  async powerOff(): Promise<void> {
    this.cable.forget();
    await this.#end();
  }

  async reboot(): Promise<void> {
    await this.powerOff();
    await this.boot();
  }

  resetConnections(): void {
    this.cable.reset();
  }

  kill(matches: (command: LabCommand) => boolean): number {
    return killCommands(this.commands().filter(matches));
  }

  commands(): readonly LabCommand[] {
    const all = runningCommands();
    const ours = new Set(this.#sshd === undefined ? [] : [this.#sshd.pid]);
    // Processes of sshd hide their environment: they are found below the one that listens.
    for (let size = 0; size < ours.size;) {
      size = ours.size;
      for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
    }
    const mark = `HOME=${this.home}`;
    return all.filter(
      ({ pid, environment }) =>
        pid !== this.#sshd?.pid && (ours.has(pid) || environment.includes(mark)),
    );
  }

  async close(): Promise<void> {
    await this.#end();
    await this.cable.close();
  }

  async #end(): Promise<void> {
    // Nobody comes in while those who are there go.
    if (this.#sshd !== undefined) process.kill(this.#sshd.pid, 'SIGSTOP');
    while (this.kill(() => true) > 0) await delay(LOOK_AGAIN_MS);
    await this.#sshd?.kill();
    this.#sshd = undefined;
  }
}

const LOOK_AGAIN_MS = 10;

/** What is asked for is run as if this were the shell of the user; bash is to take it for the first. */
function sessionOf(home: string, shell: string): string {
  return `cd "${home}" && exec env -u SHLVL ${shell} -c "$SSH_ORIGINAL_COMMAND"`;
}

/** Otherwise hosts with the same board would have one server. */
function tmuxIn(folder: string): string {
  return `#!/bin/bash
export TMUX_TMPDIR="${folder}"
exec -a tmux "$(PATH=\${PATH#*:} command -v tmux)" "$@"
`;
}
