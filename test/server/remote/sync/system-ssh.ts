import { spawn } from 'node:child_process';
import type { Channel, Link } from '../../../../server/remote/channel.ts';
import type { Sshd } from '../../../support/sshd.ts';

/** As the user would reach it by hand; `onWrite` hears how many bytes go there. */
export function systemSsh(
  sshd: Sshd,
  home: string,
  onWrite = (_bytes: number): unknown => undefined,
): Link {
  return {
    close: () => {},
    open: async () => {
      const command = `exec env HOME=${home} /bin/sh`;
      const ssh = spawn('ssh', ['-F', sshd.configFile, '-T', '--', 'box', command], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      ssh.stdin.on('error', () => {});
      const channel: Channel = {
        write: (text) => {
          ssh.stdin.write(text);
          onWrite(text.length);
        },
        listen: ({ onBytes, onClosed }) => {
          ssh.stdout.on('data', onBytes);
          ssh.once('close', () => onClosed('ssh has ended'));
        },
        close: () => void ssh.kill('SIGTERM'),
      };
      return channel;
    },
  };
}
