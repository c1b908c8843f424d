import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Cable } from './cable.ts';
import { LabProcess } from './lab-process.ts';
import { newKey } from './ssh-key.ts';

export interface LabHostOptions {
  /** Of the user; `/bin/sh` unless told. */
  readonly shell?: string;
  /** Lines for the file that configures sshd. */
  readonly sshd?: readonly string[];
  /** In the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}

interface HostParts extends LabHostOptions {
  readonly name: string;
  readonly folder: string;
  readonly userKey: string;
}

/** What runs on a host. */
export interface LabCommand {
  /** As this machine counts. */
  readonly pid: number;
  readonly parent: number;
  readonly words: string;
  readonly environment: readonly string[];
}

/** A machine of the lab, which can be started, switched off, and cut off from us. */
export class LabHost {
  readonly name: string;
  readonly cable: Cable;
  /** Of the host's key, as known_hosts has it. */
  readonly publicKey: string;
  /** Where the host has its home folder, as seen from here. */
  readonly home: string;
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
  static async open(parts: HostParts): Promise<LabHost> {
    const { folder, shell = '/bin/sh', userKey, sshd = [], files = {} } = parts;
    mkdirSync(path.join(folder, 'home', '.sshd'), { recursive: true, mode: 0o700 });
    const inHome = (name: string): string => path.join(folder, 'home', '.sshd', name);
    const publicKey = newKey(inHome('host_key'));
    writeFileSync(inHome('user_keys'), `${userKey}\n`);
    writeFileSync(inHome('config'), [...SSHD, ...sshd, ''].join('\n'));
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, 'home', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    writeFileSync(path.join(folder, 'passwd'), passwdWith(shell));
    return new LabHost({ ...parts, publicKey, cable: await Cable.open() });
  }

  get address(): string {
    return this.cable.address;
  }

  /** Starts it; each start has an id of its own. Resolves when it can be reached. */
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

  /** Like a power cut: nobody is told, and what it had not written is gone. */
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

  /** Ends each connection as something in between does, which tells both sides. */
  resetConnections(): void {
    execFileSync('nsenter', [`--net=${this.cable.namespace}`, 'ss', '-K', 'sport', '=', ':22'], {
      stdio: 'pipe',
    });
  }

  /** Answers how many there were. */
  kill(matches: (command: LabCommand) => boolean): number {
    const found = this.commands().filter(matches);
    for (const { pid } of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    return found.length;
  }

  /** All that run on it, but for the first and the sshd that listens. */
  commands(): readonly LabCommand[] {
    const first = this.#system?.firstChild();
    if (first === undefined) return [];
    const space = readlinkSync(`/proc/${first}/ns/pid`);
    return readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      const command = Number.isInteger(pid) ? commandOf(pid, space) : undefined;
      const isBase =
        pid === first || (command?.parent === first && command.words.includes('.sshd/config'));
      return command === undefined || isBase ? [] : [command];
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

const SSHD = [
  'Port 22',
  `HostKey ${HOME}/.sshd/host_key`,
  `AuthorizedKeysFile ${HOME}/.sshd/user_keys`,
  'StrictModes no',
  'UsePAM no',
  'PasswordAuthentication no',
  'PermitRootLogin yes',
  'MaxStartups 100',
  'PrintMotd no',
];

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

function commandOf(pid: number, space: string): LabCommand | undefined {
  try {
    if (readlinkSync(`/proc/${pid}/ns/pid`) !== space) return undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return { pid, parent: Number(parent), words, environment };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
