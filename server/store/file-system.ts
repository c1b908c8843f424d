import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../engine/store-error.ts';

/** What Linux calls the file systems that other machines may write to at the same time. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE, as by sshfs'],
  [0x1021997, '9p'],
  [0xc36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0xbd00bd0, 'Lustre'],
  [0x1161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
  [0x20030528, 'OrangeFS'],
  [0x61636673, 'ACFS'],
  [0xbeefdead, 'StorNext'],
  [0x564c, 'NCP'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
]);

/** The number that a folder's file system has; other systems than Linux number them in their own way. */
export type FileSystemOf = (folder: string) => number | undefined;

export const fileSystemOf: FileSystemOf = (folder) => {
  if (process.platform !== 'linux') return undefined;
  try {
    return statfsSync(folder).type;
  } catch {
    // Whether the folder is there and may be used is said when the file is opened.
    return undefined;
  }
};

/**
 * SQLite's log is shared memory between processes, and machines do not share theirs. So a home folder
 * that several machines have is refused on each of them, and no two decide for one board.
 */
export function refuseNetwork(file: string, fileSystem: FileSystemOf): void {
  const folder = path.dirname(file);
  const name = networkOf(folder, fileSystem);
  if (name === undefined) return;
  throw new StoreError(
    'network-file-system',
    `Interlock cannot keep its state in ${folder}, because that is on a network file system (${name}). ` +
      'Set INTERLOCK_STATE_DIR to a folder on a disk of this machine.',
  );
}

/** What kind of network file system a folder is on; nothing where it is on a disk. */
export function networkOf(
  folder: string,
  fileSystem: FileSystemOf = fileSystemOf,
): string | undefined {
  const type = fileSystem(folder);
  // Some platforms give the number with a sign.
  return type === undefined ? undefined : NETWORK.get(type >>> 0);
}

/** Which file a name means. Another one may come to have the name, and then this one is lost. */
export class FileIdentity {
  readonly #file: string;
  #known: string | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#known = identityOf(file);
  }

  get isSame(): boolean {
    const identity = identityOf(this.#file);
    // What was not there may come to be, and what was there may not go.
    this.#known ??= identity;
    return identity === this.#known;
  }
}

function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    // Gone, or out of reach, which is no better.
    return undefined;
  }
}
