import { spawn } from 'node:child_process';
import { programPath } from '../../runners/find-program.ts';
import { plainEnvironment } from './git-store.ts';
import { SyncRefused } from './sync-refused.ts';

export interface RsyncPlace {
  /** What the user would write after `ssh`; absent where the way leads to this machine. */
  readonly ssh: string | undefined;
  /** Further words for ssh, such as a configuration of its own. */
  readonly sshOptions: readonly string[];
}

interface Copying {
  readonly place: RsyncPlace;
  /** What rsync is to do beside what it always does. */
  readonly options: readonly string[];
  readonly from: RsyncFolder;
  readonly to: RsyncFolder;
  /** Names from `from`, each ended by a NUL. */
  readonly names: Buffer;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

/** Absolute. */
type RsyncFolder = { readonly here: string } | { readonly there: string };

/** Nobody is asked anything, nothing is forwarded, and who is not known is not talked to. */
const SSH = [
  'ssh',
  ...['BatchMode=yes', 'StrictHostKeyChecking=yes', 'ForwardAgent=no', 'ForwardX11=no'].flatMap(
    (option) => ['-o', option],
  ),
  ...['ClearAllForwardings=yes', 'PermitLocalCommand=no', 'ConnectTimeout=15'].flatMap((option) => [
    '-o',
    option,
  ]),
  // Who says nothing any more is not waited for: others wait for their turn.
  ...['ServerAliveInterval=15', 'ServerAliveCountMax=3'].flatMap((option) => ['-o', option]),
];
/** Links stay links; who owns a file, devices and other times are left out. */
const ALWAYS = ['-rlpt', '-s', '--from0', '--files-from=-', '--partial-dir=.interlock-part'];

/** Copies files by the programs of the system. Throws `SyncRefused`. */
export async function rsync(copying: Copying): Promise<void> {
  const { place, options, from, to, names, env, signal } = copying;
  const { port } = addressOf(place);
  const shell = [...SSH, ...port, ...place.sshOptions].map(shellWord).join(' ');
  const via = place.ssh === undefined ? [] : ['-e', shell];
  const words = [from, to].map((folder) => folderWord(place, folder));
  const rsyncs = spawn(programPath('rsync', env), [...ALWAYS, ...via, ...options, '--', ...words], {
    env: { ...plainEnvironment(env), RSYNC_RSH: '', RSYNC_PROXY: '' },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...(signal !== undefined && { signal }),
  });
  let complaint = '';
  rsyncs.stderr.on('data', (bytes) => (complaint = `${complaint}${bytes}`.slice(0, 4096)));
  rsyncs.stdin.on('error', () => {});
  rsyncs.stdin.end(names);
  const code = await new Promise<number | null>((resolve, reject) => {
    rsyncs.once('error', (error) =>
      reject(
        signal?.aborted === true
          ? error
          : new SyncRefused('rsync is not installed here', { mayPass: false }),
      ),
    );
    rsyncs.once('close', resolve);
  });
  if (code !== 0) throw new SyncRefused(`rsync says: ${complaint.split('\n', 1)[0] || code}`);
}

function folderWord(place: RsyncPlace, folder: RsyncFolder): string {
  if ('here' in folder) return `${folder.here}/`;
  const { host } = addressOf(place);
  return host === undefined ? `${folder.there}/` : `${host}:${folder.there}/`;
}

/** For rsync a host ends at a colon: what ssh reads as an address would be a host called `ssh`. */
function addressOf({ ssh }: RsyncPlace): {
  readonly host: string | undefined;
  readonly port: readonly string[];
} {
  const [, address = ssh, port] = /^ssh:\/\/(.*?)(?::(\d+))?$/.exec(ssh ?? '') ?? [];
  const [, user = '', name = ''] = /^(.*@)?(.*)$/.exec(address ?? '') ?? [];
  const isBare = name.includes(':') && !name.startsWith('[');
  return {
    host: isBare ? `${user}[${name}]` : address,
    port: port === undefined ? [] : ['-p', port],
  };
}

/** rsync takes words apart at spaces, and knows quotes. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}
