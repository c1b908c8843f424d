import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'ssh2';
import type { Lab } from '../../support/lab/lab.ts';
import { measureCommand } from './measured-command.ts';
import { onPath } from './on-path.ts';
import { OurHost } from './our-host.ts';

export const SLOTS = 8;

/** Something that runs commands on a host, so many at a time. */
export interface HostContender {
  readonly name: string;
  readonly missing?: string;
  /** Runs a command that does nothing so often. */
  readonly run: (count: number) => Promise<void>;
  readonly close: () => void;
}

export const OURS = 'interlock, slots in tmux';
const IN_SESSIONS = 'interlock, in: tmux';
export const GNU_PARALLEL = 'GNU parallel --sshlogin';
export const SSH2 = 'ssh2 exec, noDelay';

export async function hostContenders(lab: Lab, folder: string): Promise<readonly HostContender[]> {
  const { name: host } = lab.hosts[0]!;
  const ours = new OurHost(host, { sshConfig: lab.sshConfig, folder });
  const client = await connected(lab);
  const shared = ['-F', lab.sshConfig, '-o', `ControlPath=${path.join(folder, 'master')}`];
  const ssh = ['ssh', ...shared];
  // Whoever is measured finds the connection made.
  execFileSync('ssh', [...shared, '-M', '-N', '-f', host], { stdio: 'ignore' });
  const isMissing = onPath('parallel') === undefined;
  return [
    {
      name: OURS,
      run: async (count) => await inSlots(count, async () => void (await ours.run('true'))),
      close: () => ours.close(),
    },
    {
      name: IN_SESSIONS,
      run: async (count) =>
        await inSlots(count, async () => void (await ours.run('true', { isInSession: true }))),
      close: () => {},
    },
    {
      name: SSH2,
      run: async (count) => await inSlots(count, async () => await execute(client, 'true')),
      close: () => void client.end(),
    },
    {
      name: 'xargs -P ssh, ControlMaster',
      run: async (count) => {
        const text = `seq ${count} | xargs -P ${SLOTS} -I {} ${ssh.join(' ')} ${host} true`;
        await measureCommand({ file: '/bin/sh', args: ['-c', text], folder });
      },
      close: () => void execFileSync('ssh', [...shared, '-O', 'exit', host], { stdio: 'ignore' }),
    },
    {
      name: GNU_PARALLEL,
      ...(isMissing && { missing: 'parallel is not on the machine' }),
      run: async (count) => {
        const numbers = Array.from({ length: count }, (_, at) => String(at));
        const args = ['--will-cite', '-j', String(SLOTS), '--ssh', ssh.join(' ')];
        const rest = ['--sshlogin', host, 'true', ':::', ...numbers];
        await measureCommand({ file: 'parallel', args: [...args, ...rest], folder });
      },
      close: () => {},
    },
  ];
}

export async function inSlots(count: number, one: () => Promise<void>): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, work));
}

async function connected(lab: Lab): Promise<Client> {
  const client = new Client();
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.once('error', reject);
    client.connect({
      host: lab.hosts[0]!.address,
      username: 'root',
      privateKey: readFileSync(path.join(lab.folder, 'user', 'key')),
    });
  });
  client.setNoDelay(true);
  return client;
}

async function execute(client: Client, command: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.exec(command, (error, stream) => {
      if (error !== undefined) reject(error);
      else stream.on('close', () => resolve()).resume();
    });
  });
}
