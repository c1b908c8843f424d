import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

export type KeyType = 'ed25519' | 'ecdsa' | 'rsa';

export interface SshdOptions {
  readonly hostKeys?: readonly KeyType[];
  /** What the user has for a login shell; absent: the one of this machine's user. */
  readonly loginShell?: LoginShell;
  /** Lines of its configuration, such as `MaxSessions 2`, that count before all others. */
  readonly settings?: readonly string[];
  /** Words that go before it, such as `ip netns exec there`. */
  readonly inside?: readonly string[];
  /** It answers there instead of on a port of 127.0.0.1 that is free. */
  readonly listenOn?: { readonly address: string; readonly port: number };
}

export interface LoginShell {
  /** Such as `/usr/bin/fish`; it reads its files in a home folder of its own. */
  readonly program: string;
  /** What lies in that folder: `.bashrc`, `.zshenv`, `.config/fish/config.fish`. */
  readonly files?: Readonly<Record<string, string>>;
}

export const SSHD = '/usr/sbin/sshd';
/** A run of tests that is killed cannot stop it. */
export const LEASH = existsSync('/usr/bin/setpriv') ? ['setpriv', '--pdeathsig', 'KILL'] : [];
const TRIES = 5;

/** A real sshd on this machine, with keys, users' files and known hosts of its own. */
export class Sshd {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
  /** A configuration for ssh in which `box` is this machine, with nothing of the user's own. */
  readonly configFile: string;
  readonly knownHostsFile: string;
  readonly #child: ChildProcess;
  readonly #said: () => string;

  private constructor(
    { folder, address, port }: Place,
    started: { readonly child: ChildProcess; readonly said: () => string },
  ) {
    [this.folder, this.address, this.port] = [folder, address, port];
    this.configFile = path.join(folder, 'config');
    this.knownHostsFile = path.join(folder, 'known_hosts');
    this.#child = started.child;
    this.#said = started.said;
  }

  /** Resolves when it listens. Whoever starts it stops it. */
  static async start(options: SshdOptions = {}): Promise<Sshd> {
    const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'interlock-sshd-')));
    chmodSync(folder, 0o755);
    const types = options.hostKeys ?? ['ed25519'];
    for (const type of types) makeKey(path.join(folder, `host_${type}`), type);
    makeKey(path.join(folder, 'id'), 'ed25519');
    writeFileSync(path.join(folder, 'authorized_keys'), readFileSync(path.join(folder, 'id.pub')));
    // It wants the folder, even where it is told to use none.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    for (let round = 1; ; round += 1) {
      const address = options.listenOn?.address ?? '127.0.0.1';
      const port = options.listenOn?.port ?? (await freePort());
      const place = { folder, address, port };
      const lines = [...(options.settings ?? []), ...daemonLines(place, types)];
      if (options.loginShell !== undefined) lines.push(shellLine(folder, options.loginShell));
      writeFileSync(path.join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
      const started = await listen([...LEASH, ...(options.inside ?? []), SSHD, '-D', '-e'], place);
      if (started === undefined && round < TRIES) continue;
      if (started === undefined) throw new Error(`sshd does not listen on port ${port}.`);
      const sshd = new Sshd(place, started);
      sshd.configure();
      sshd.know(types);
      return sshd;
    }
  }

  /** Everything that it has logged. */
  get log(): string {
    return this.#said();
  }

  /** Writes the configuration of the client; later lines for `box` go before what is there. */
  configure(...lines: readonly string[]): void {
    writeFileSync(
      this.configFile,
      `Host box
${lines.map((line) => `  ${line}\n`).join('')}  HostName ${this.address}
  Port ${this.port}
  User ${os.userInfo().username}
  IdentityFile ${path.join(this.folder, 'id')}
  IdentityAgent none
  UserKnownHostsFile ${this.knownHostsFile}
  GlobalKnownHostsFile none
  HashKnownHosts no
`,
    );
  }

  /** The line by which the client knows one of its keys. */
  knownLine(type: KeyType): string {
    const [name, key] = this.publicKey(type).split(' ');
    return `[${this.address}]:${this.port} ${name} ${key}`;
  }

  publicKey(type: KeyType): string {
    return readFileSync(path.join(this.folder, `host_${type}.pub`), 'utf8').trim();
  }

  know(types: readonly KeyType[]): void {
    writeFileSync(this.knownHostsFile, types.map((type) => `${this.knownLine(type)}\n`).join(''), {
      mode: 0o600,
    });
  }

  /** Ends every connection there is at once, and nothing that runs for them; it goes on listening. */
  cut(): void {
    for (const pid of this.#connections()) killQuietly(pid, 'SIGKILL');
  }

  /** Every connection stays and says nothing more. */
  freeze(): void {
    for (const pid of this.#connections()) killQuietly(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#connections()) killQuietly(pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) resolve();
      else this.#child.once('exit', () => resolve());
    });
    this.thaw();
    this.cut();
    this.#child.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** It has a process for each, and where it gives up being root another one below that. */
  #connections(): readonly number[] {
    const parents = new Map<number, number[]>();
    for (const name of readdirSync('/proc')) {
      const [pid, parent] = [Number(name), parentOfSshd(name)];
      if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), pid]);
    }
    const below = (pid: number): readonly number[] =>
      (parents.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
    return this.#child.pid === undefined ? [] : below(this.#child.pid);
  }
}

interface Place {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
}

function makeKey(file: string, type: KeyType): void {
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', 'test', '-f', file]);
}

function daemonLines({ folder, address, port }: Place, types: readonly KeyType[]): string[] {
  return [
    `ListenAddress ${address.includes(':') ? `[${address}]` : address}:${port}`,
    ...types.map((type) => `HostKey ${path.join(folder, `host_${type}`)}`),
    `AuthorizedKeysFile ${path.join(folder, 'authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'UseDNS no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxStartups 1000',
    'LogLevel VERBOSE',
  ];
}

/** Runs what is asked for as sshd would if the user had this shell. */
function shellLine(folder: string, { program, files = {} }: LoginShell): string {
  const home = path.join(folder, 'home');
  mkdirSync(home, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  // bash reads its files only where it is not the shell of a shell.
  const env = `env -u SHLVL -u ZDOTDIR -u XDG_CONFIG_HOME HOME=${home} SHELL=${program}`;
  return `ForceCommand exec ${env} ${program} -c "$SSH_ORIGINAL_COMMAND"`;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}

/** Answers with nothing when the port has been taken in between. */
async function listen(
  [program = SSHD, ...words]: readonly string[],
  { folder }: Place,
): Promise<{ child: ChildProcess; said: () => string } | undefined> {
  const child = spawn(program, [...words, '-f', path.join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stderr.on('data', (data) => {
      text += String(data);
      if (text.includes('Server listening on')) resolve({ child, said: () => text });
    });
    child.once('close', () => {
      if (/Cannot bind|Address already in use/.test(text)) resolve(undefined);
      else reject(new Error(`sshd does not start:\n${text}`));
    });
  });
}

/** Of a process of sshd; what it runs for a user has another name. */
function parentOfSshd(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    if (!stat.slice(0, end).includes('(sshd')) return undefined;
    return Number(stat.slice(end + 2).split(' ')[1]);
  } catch {
    // It has ended in between.
    return undefined;
  }
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
