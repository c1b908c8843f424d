import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ended } from './measured-command.ts';
import { onPath } from './on-path.ts';

/** A server that belongs to one measurement and ends with it. */
export interface PrivateServer {
  readonly stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
export const POSTGRES_USER = 'bench';

/** Reachable by a socket in the folder only. */
export async function startRedis(folder: string, appendFsync: string): Promise<PrivateServer> {
  const args = ['--port', '0', '--unixsocket', path.join(folder, 'redis'), '--dir', folder];
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', appendFsync];
  const child = spawn('redis-server', [...args, ...durable], { stdio: ['ignore', 'pipe', 'pipe'] });
  return await whenReady(child);
}

/** A cluster with the defaults of durability. It refuses to run as root, so root lends it a user. */
export async function startPostgres(folder: string): Promise<PrivateServer> {
  const programs = path.dirname(onPath('postgres')!);
  const identity = unprivileged();
  const data = path.join(folder, 'data');
  mkdirSync(data);
  if (identity !== undefined)
    for (const place of [folder, data]) chownSync(place, identity.uid, identity.gid);
  const init = ['-D', data, '-U', POSTGRES_USER, '-A', 'trust', '-N', '-E', 'UTF8'];
  execFileSync(path.join(programs, 'initdb'), init, { ...identity, cwd: folder, stdio: 'pipe' });
  const child = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`],
    { ...identity, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return await whenReady(child);
}

function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = ['postgres', 'nobody']
    .map((name) => users.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  if (found === undefined) throw new Error('there is no user that PostgreSQL could run as');
  const [, , uid, gid] = found.split(':').map(Number);
  return { uid: uid!, gid: gid! };
}

/** Both say so in the same words. */
async function whenReady(child: ChildProcess): Promise<PrivateServer> {
  const over = ended(child);
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await over;
  };
  let output = '';
  const ready = new Promise<'ready'>((resolve) => {
    const hear = (text: unknown): void => {
      output += String(text);
      if (output.toLowerCase().includes('ready to accept connections')) resolve('ready');
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
  });
  const late = delay(START_TIMEOUT_MS, 'late', { ref: false });
  const outcome = await Promise.race([ready, over, late]);
  if (outcome === 'ready') return { stop };
  await stop();
  throw new Error(`it did not start (${outcome}): ${output.slice(-300)}`);
}
