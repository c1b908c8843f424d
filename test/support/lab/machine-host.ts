import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Cable } from './cable.ts';
import { newHome } from './host-home.ts';
import { killCommands, type LabCommand, runningCommands } from './lab-command.ts';
import type { HostParts, LabHost } from './lab-host.ts';
import { LabProcess } from './lab-process.ts';

/** A machine of its own on this one. */
export class MachineHost implements LabHost {
  readonly name: string;
  readonly cable: Cable;
  readonly port = 22;
  readonly user = 'root';
  readonly publicKey: string;
  readonly home: string;
  readonly homeThere = HOME;
  readonly #folder: string;
  #system: LabProcess | undefined;

  private constructor({ name, folder, publicKey, cable }: HostParts & BuiltParts) {
    this.name = name;
    this.cable = cable;
    this.publicKey = publicKey;
    this.home = path.join(folder, 'home');
    this.#folder = folder;
  }

  /** It is off until it is started. */
  static async open(parts: HostParts): Promise<MachineHost> {
    const { folder, shell = '/bin/sh' } = parts;
    const publicKey = newHome(parts, { homeThere: HOME, sshd: ['Port 22'] });
    writeFileSync(path.join(folder, 'passwd'), passwdWith(shell));
    return new MachineHost({ ...parts, publicKey, cable: await Cable.open() });
  }

  get address(): string {
    return this.cable.address;
  }

  /** Each start has an id of its own. */
  async boot(): Promise<void> {
    writeFileSync(path.join(this.#folder, 'boot_id'), `${randomUUID()}\n`);
    const system = new LabProcess('nsenter', [
      `--net=${this.cable.namespace}`,
      'unshare',
      ...UNSHARED,
      'bash',
      '-c',
      SYSTEM,
      this.name,
      this.#folder,
    ]);
    this.#system = system;
    await system.said('Server listening');
  }

  async powerOff(): Promise<void> {
    this.cable.cut();
    await this.#system?.kill();
    this.#system = undefined;
    this.cable.mend();
  }

  async reboot(): Promise<void> {
    await this.powerOff();
    await this.boot();
  }

  resetConnections(): void {
    execFileSync('nsenter', [`--net=${this.cable.namespace}`, 'ss', '-K', 'sport', '=', ':22'], {
      stdio: 'pipe',
    });
  }

  kill(matches: (command: LabCommand) => boolean): number {
    return killCommands(this.commands().filter(matches));
  }

  commands(): readonly LabCommand[] {
    const first = this.#system?.firstChild();
    if (first === undefined) return [];
    const space = spaceOf(first);
    return runningCommands().filter(({ pid, parent, words }) => {
      const isBase = pid === first || (parent === first && words.includes('.sshd/config'));
      return !isBase && spaceOf(pid) === space;
    });
  }

  async close(): Promise<void> {
    await this.#system?.kill();
    this.#system = undefined;
    await this.cable.close();
  }
}

interface BuiltParts {
  readonly publicKey: string;
  readonly cable: Cable;
}

/** Where the host finds its home folder. */
const HOME = '/srv';

const UNSHARED = ['--uts', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child'];

/** Nothing that it mounts is seen elsewhere, and all that it runs ends with it. */
const SYSTEM = `set -e
hostname "$0"
mount --bind "$1/boot_id" /proc/sys/kernel/random/boot_id
mount --bind "$1/passwd" /etc/passwd
mount -t tmpfs lab /run
mkdir /run/sshd
mount --bind "$1/home" ${HOME}
mount -t tmpfs lab /tmp
chmod 1777 /tmp
cd ${HOME}
"$(PATH=$PATH:/usr/sbin command -v sshd)" -D -e -f ${HOME}/.sshd/config </dev/null &
read -r _ || true`;

function passwdWith(shell: string): string {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines
    .map((line) => (line.startsWith('root:') ? `root:x:0:0:root:${HOME}:${shell}` : line))
    .join('\n');
}

function spaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
