import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LabHost, LabHostOptions } from './lab-host.ts';
import { labKind } from './lab-kind.ts';
import { LoopbackHost } from './loopback-host.ts';
import { MachineHost } from './machine-host.ts';
import { newKey } from './ssh-key.ts';

/**
 * Machines of their own on this one: each has its own network, processes, home folder, temporary
 * folder and start, and a real sshd. Everything of them lives as long as this process at most, however
 * it ends: the first process of each machine reads from us until nobody is there. Where no such
 * machines can be made, hosts on loopback stand for them.
 */
export class Lab {
  readonly hosts: readonly LabHost[];
  /** A config file for `ssh -F` with the names of all hosts, whose keys are known. */
  readonly sshConfig: string;
  readonly folder: string;

  private constructor(folder: string, hosts: readonly LabHost[]) {
    this.folder = folder;
    this.hosts = hosts;
    this.sshConfig = path.join(folder, 'user', 'config');
  }

  static async open(names: readonly string[], options: LabHostOptions = {}): Promise<Lab> {
    removeLeftovers();
    const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), `${FOLDER}${process.pid}-`)));
    mkdirSync(path.join(folder, 'user'), { mode: 0o700 });
    const key = newKey(path.join(folder, 'user', 'key'));
    const hosts: LabHost[] = [];
    const kind = labKind() === 'machines' ? MachineHost : LoopbackHost;
    const lab = new Lab(folder, hosts);
    try {
      for (const name of names) {
        const home = path.join(folder, name);
        mkdirSync(home);
        hosts.push(await kind.open({ ...options, name, folder: home, userKey: key }));
      }
      lab.#writeConfig();
      await Promise.all(hosts.map(async (host) => host.boot()));
      return lab;
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
  }

  host(name: string): LabHost {
    const host = this.hosts.find((each) => each.name === name);
    if (host === undefined) throw new Error(`There is no host "${name}" in this lab.`);
    return host;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map(async (host) => host.close()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #writeConfig(): void {
    const file = (name: string): string => path.join(this.folder, 'user', name);
    const known = this.hosts.map(
      ({ address, port, publicKey }) =>
        `${port === 22 ? address : `[${address}]:${port}`} ${publicKey}\n`,
    );
    writeFileSync(file('known_hosts'), known.join(''));
    const sections = this.hosts.map(
      ({ name, address, port, user }) => `Host ${name}
  HostName ${address}
  Port ${port}
  User ${user}
  IdentityFile ${file('key')}
  IdentitiesOnly yes
  ConnectTimeout 2
  UserKnownHostsFile ${file('known_hosts')}
  GlobalKnownHostsFile /dev/null
`,
    );
    writeFileSync(file('config'), sections.join(''));
  }
}

const FOLDER = 'interlock-lab-';

/** Of those that were killed before they could: all else of them has ended by itself. */
function removeLeftovers(): void {
  for (const name of readdirSync(os.tmpdir())) {
    const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : 0;
    if (pid > 0 && !existsSync(`/proc/${pid}`))
      rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}
