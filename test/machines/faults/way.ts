import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Channel, type Link, LinkError } from '../../../server/remote/channel.ts';

/** A way to a host by the system's ssh, a connection for each channel. */
export function wayTo(host: string, sshConfig: string): Link {
  const options = ['BatchMode=yes', 'ServerAliveInterval=1', 'ServerAliveCountMax=2'];
  return {
    open: async (): Promise<Channel> => {
      const args = ['-F', sshConfig, ...options.flatMap((option) => ['-o', option])];
      const ssh = spawn('ssh', [...args, '-o', 'ConnectTimeout=2', host, 'exec /bin/sh'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      ssh.stdin.on('error', () => {});
      await once(ssh, 'spawn').catch((cause: unknown) => {
        throw new LinkError('ssh is not there', { mayPass: false, cause });
      });
      return {
        write: (text) => void ssh.stdin.write(text),
        listen: ({ onBytes, onClosed }) => {
          ssh.stdout.on('data', onBytes);
          ssh.once('close', () => onClosed('ssh has ended'));
        },
        close: () => void ssh.kill(),
      };
    },
    close: () => {},
  };
}
