import { LinkError } from '../channel.ts';
import { expandPath, expandTokens, type SshTokens } from './ssh-tokens.ts';

/** What OpenSSH would do to get to a host, of all that its configuration says. */
export interface SshConfig {
  /** What the user writes after `ssh`. */
  readonly destination: string;
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
  /** Nought is either. */
  readonly family: 0 | 4 | 6;
  readonly way: SshWay;
  readonly hostKeyAlias: string | undefined;
  /** The user's own; keys are added to the first of these. */
  readonly userKnownHosts: readonly string[];
  readonly globalKnownHosts: readonly string[];
  readonly isHashingKnownHosts: boolean;
  readonly identityFiles: readonly string[];
  /** Of keys; `ssh2` cannot show them. */
  readonly certificateFiles: readonly string[];
  /** Other keys that the agent has are not offered. */
  readonly isIdentitiesOnly: boolean;
  /** The socket of the agent; absent: none is asked. */
  readonly agent: string | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly beat: { readonly everyMs: number; readonly most: number } | undefined;
  /** By name, the best first; absent where an old OpenSSH does not say. */
  readonly algorithms: Readonly<Record<AlgorithmKind, readonly string[] | undefined>>;
}

type SshWay =
  | { readonly kind: 'direct' }
  /** By `ssh -W` of the last of these, which is reached over those before it. */
  | { readonly kind: 'jump'; readonly jumps: readonly string[] }
  /** A command of the user's shell; its input and output are the connection. */
  | { readonly kind: 'command'; readonly command: string };

type AlgorithmKind = 'hostKeys' | 'ciphers' | 'macs' | 'exchanges';

/** What the configuration may refer to. */
export interface SshSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Who the user is on this machine. */
  readonly localUser: string;
  readonly localHost: string;
  readonly uid: number;
}

/** Neither an option nor anything that a shell would act on. */
const DESTINATION = /^(?:ssh:\/\/)?[A-Za-z0-9_[][\w.:%@[\]-]{0,252}$/;

export function isDestination(text: string): boolean {
  return DESTINATION.test(text);
}

/** As newer versions of OpenSSH want them, because a proxy command may have them in it. */
const PLAIN_HOST = /^[\w.:%[\]][\w.:%[\]-]*$/;
const PLAIN_USER = /^[^\s"'`$\\;&<>|(){}-][^\s"'`$\\;&<>|(){}]*$/;

/** Reads what `ssh -G` says. Throws `LinkError` where that cannot be done as OpenSSH would. */
export function readSshConfig(
  text: string,
  destination: string,
  surroundings: SshSurroundings,
): SshConfig {
  const { all, one } = readValues(text);
  const [hostname, user, port] = [bare(one('hostname') ?? ''), one('user') ?? '', one('port')];
  if (!PLAIN_HOST.test(hostname) || !PLAIN_USER.test(user) || !isPort(Number(port)))
    throw unfit(destination, 'has a host name, a user or a port that cannot be one');
  if (one('revokedhostkeys') !== undefined)
    throw unfit(destination, 'has RevokedHostKeys, which Interlock cannot check');
  const hostKeyAlias = one('hostkeyalias');
  const tokens: SshTokens = {
    ...tokensOf(surroundings),
    h: hostname,
    k: hostKeyAlias ?? hostname,
    n: destination,
    p: String(port),
    r: user,
  };
  const { env, home } = surroundings;
  const path = (value: string): string => {
    const expanded = expandPath(value, { tokens, env, home });
    if (expanded === undefined)
      throw unfit(destination, `has "${value}", which Interlock cannot read`);
    return expanded;
  };
  const socket = agentSocket(one('identityagent', 'SSH_AUTH_SOCK'), env);
  return {
    destination,
    hostname,
    port: Number(port),
    user,
    family: FAMILIES[one('addressfamily') ?? ''] ?? 0,
    way: readWay(one, tokens, destination),
    hostKeyAlias,
    userKnownHosts: splitPaths(one('userknownhostsfile')).map(path),
    globalKnownHosts: splitPaths(one('globalknownhostsfile')).map(path),
    isHashingKnownHosts: one('hashknownhosts') === 'yes',
    identityFiles: all('identityfile').map(path),
    certificateFiles: all('certificatefile').map(path),
    isIdentitiesOnly: one('identitiesonly') === 'yes',
    agent: socket === undefined ? undefined : path(socket),
    connectTimeoutMs: readMs(one('connecttimeout')),
    beat: readBeat(one('serveraliveinterval'), one('serveralivecountmax')),
    algorithms: {
      hostKeys: one('hostkeyalgorithms')?.split(','),
      ciphers: one('ciphers')?.split(','),
      macs: one('macs')?.split(','),
      exchanges: one('kexalgorithms')?.split(','),
    },
  };
}

const FAMILIES: Readonly<Record<string, 4 | 6>> = { inet: 4, inet6: 6 };
const SECOND_MS = 1000;

interface Values {
  readonly all: (name: string) => readonly string[];
  /** Absent also where it says that there is none; `otherwise` where it says nothing. */
  readonly one: (name: string, otherwise?: string) => string | undefined;
}

function readValues(text: string): Values {
  const values = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const space = line.indexOf(' ');
    if (space <= 0) continue;
    const [name, value] = [line.slice(0, space).toLowerCase(), line.slice(space + 1).trim()];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const all = (name: string): readonly string[] =>
    (values.get(name) ?? []).filter((value) => value !== 'none' && value !== '');
  return {
    all,
    one: (name, otherwise) => (values.has(name) ? all(name)[0] : otherwise),
  };
}

function tokensOf({ home, localHost, localUser, uid }: SshSurroundings): SshTokens {
  return {
    d: home,
    i: String(uid),
    L: localHost.replace(/\..*/, ''),
    l: localHost,
    u: localUser,
  };
}

/** Without the brackets of an address that had to be told from its port. */
function bare(hostname: string): string {
  return /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

function readWay(one: Values['one'], tokens: SshTokens, destination: string): SshWay {
  const [jumps, proxy] = [one('proxyjump'), one('proxycommand')];
  if (jumps !== undefined) {
    const list = jumps.split(',').map((jump) => jump.trim());
    // They become words of a command, where a word that begins with a dash is an option.
    if (!list.every((jump) => isDestination(jump)))
      throw unfit(destination, 'has a strange ProxyJump');
    return { kind: 'jump', jumps: list };
  }
  if (proxy === undefined) return { kind: 'direct' };
  if (one('proxyusefdpass') === 'yes')
    throw unfit(destination, 'has ProxyUseFdpass, which Interlock cannot do');
  const command = expandTokens(proxy, tokens);
  if (command === undefined) throw unfit(destination, 'has a strange %-sign in its ProxyCommand');
  return { kind: 'command', command };
}

/**
 * OpenSSH does not say where a path with spaces ends. The paths that it prints are whole, so what does
 * not begin like one belongs to the one before.
 */
function splitPaths(value: string | undefined): readonly string[] {
  const found: string[] = [];
  for (const word of value?.split(' ') ?? []) {
    const isBeginning = /^(?:[/~\\%$]|[A-Za-z]:)/.test(word) || found.length === 0;
    if (isBeginning) found.push(word);
    else found.push(`${found.pop() ?? ''} ${word}`);
  }
  return found;
}

const WINDOWS_AGENT = String.raw`\\.\pipe\openssh-ssh-agent`;

function agentSocket(said: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const name = said === 'SSH_AUTH_SOCK' ? said : /^\$(\w+)$/.exec(said ?? '')?.[1];
  if (name === undefined) return said;
  return env[name] || (process.platform === 'win32' ? WINDOWS_AGENT : undefined);
}

function readMs(seconds: string | undefined): number | undefined {
  const ms = Number(seconds) * SECOND_MS;
  return ms > 0 ? ms : undefined;
}

function readBeat(interval: string | undefined, most: string | undefined): SshConfig['beat'] {
  const everyMs = readMs(interval);
  return everyMs === undefined ? undefined : { everyMs, most: Math.max(1, Number(most) || 1) };
}

function unfit(destination: string, what: string): LinkError {
  return new LinkError(`The ssh configuration of ${destination} ${what}.`, { mayPass: false });
}
