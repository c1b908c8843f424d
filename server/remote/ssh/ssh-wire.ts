import { type ChildProcess, spawn } from 'node:child_process';
import { programPath } from '../../runners/find-program.ts';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { unreachable } from '../../domain/assert.ts';
import { displayText, inShort } from '../../domain/display-text.ts';
import type { SshConfig } from './ssh-config.ts';
import type { SystemSsh } from './system-ssh.ts';

/** What carries the bytes of a connection: a socket, or a program that has one. */
export interface Wire {
  readonly stream: Duplex;
  /** The last that the program said, for the user; empty where there is none. */
  readonly said: () => string;
}

export interface WireOptions {
  readonly ssh: SystemSsh;
  readonly env: NodeJS.ProcessEnv;
}

export function openWire(config: SshConfig, { ssh, env }: WireOptions): Wire {
  const { hostname: host, port, family, way } = config;
  switch (way.kind) {
    case 'direct': {
      // Without `noDelay` a small request waits 40 ms, for the acknowledgement of the one before.
      const socket = connect({ host, port, family, keepAlive: true, noDelay: true });
      return { stream: socket, said: () => '' };
    }
    case 'jump':
      return wireOf(
        spawn(programPath(ssh.program, env), jumpArguments(way.jumps, config, ssh), {
          env,
          ...DETACHED,
        }),
      );
    case 'command':
      return wireOf(proxy(way.command, env));
    default:
      return unreachable(way);
  }
}

/** The user has written it for a shell, in a configuration of their own. */
function proxy(command: string, env: NodeJS.ProcessEnv): ChildProcess {
  return process.platform === 'win32'
    ? spawn(command, { env, shell: true, stdio: 'pipe', windowsHide: true })
    : spawn(env['SHELL'] || '/bin/sh', ['-c', `exec ${command}`], { env, ...DETACHED });
}

/** In a group of its own, so that all of it ends with the connection. */
const DETACHED = { detached: true, stdio: 'pipe' } as const;
const MOST_SAID = 2000;
const LAST_WORDS_MS = 200;

/** Every jump is made as the background connection that it is: it asks nothing and forwards nothing else. */
export function jumpArguments(
  jumps: readonly string[],
  { hostname, port }: Pick<SshConfig, 'hostname' | 'port'>,
  { configFile }: Pick<SystemSsh, 'configFile'>,
): readonly string[] {
  const [last = '', before] = [jumps.at(-1), jumps.slice(0, -1)];
  return [
    ...(configFile === undefined ? [] : ['-F', configFile]),
    ...OPTIONS.flatMap((option) => ['-o', option]),
    ...(before.length === 0 ? [] : ['-J', before.join(',')]),
    '-W',
    `[${hostname}]:${port}`,
    '--',
    HAS_PORT.test(last) ? `ssh://${last}` : last,
  ];
}

/** Only an address has more colons than the one before the port, and it is in brackets then. */
const HAS_PORT = /^[^:/]+:\d+$|^(?:[^@/]+@)?\[[^\]]+\](?::\d+)?$/;

const OPTIONS = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ClearAllForwardings=yes',
  // One that is there may be used; to be one for others would be to end with this connection.
  'ControlMaster=no',
  'ExitOnForwardFailure=no',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
];

function wireOf(child: ChildProcess): Wire {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null) throw new Error('It was started with pipes.');
  let said = '';
  stderr?.on('data', (bytes) => {
    said = (said + String(bytes)).slice(-MOST_SAID);
  });
  const stream = new Duplex({
    read: () => void stdout.resume(),
    write: (bytes, _, done) => {
      // One that does not read any more has ended, or will; what it says before that is the reason.
      stdin.write(bytes, () => done());
    },
    final: (done) => {
      stdin.end();
      done();
    },
    destroy: (error, done) => {
      endGroup(child);
      done(error);
    },
  });
  stdout.pause();
  stdout.on('data', (bytes) => {
    if (!stream.push(bytes)) stdout.pause();
  });
  stdin.on('error', () => {});
  stdout.on('error', () => {});
  child.once('error', (error) => stream.destroy(error));
  const closed = Promise.withResolvers<void>();
  child.once('close', () => closed.resolve());
  stdout.once('end', () => {
    // Its last words. What it leaves running may keep that open for ever.
    void Promise.race([closed.promise, delay(LAST_WORDS_MS)]).then(() => stream.destroy());
  });
  return { stream, said: () => inShort(displayText(said), 400) };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
