import { assert } from '../domain/assert.ts';
import type { HostDefinition } from '../domain/host.ts';
import { readSessionName } from '../domain/session-name.ts';
import { quote } from '../domain/shell-words.ts';
import type { Attachment } from '../board/session-ports.ts';

export interface AttachmentWish {
  readonly word: string;
  readonly name: string;
  /** Absent: this machine. */
  readonly host: Pick<HostDefinition, 'ssh'> | undefined;
  readonly mode: 'read' | 'write';
}

/**
 * What shows a session in a terminal. On a host it is started by the user's own ssh, which may ask for
 * whatever it wants; the shell there may be any, so every word is quoted as all of them understand it.
 *
 * Invariant: what is said to ssh begins with its options and "--", so no name of a host is one.
 */
export function attachmentOf({ word, name, host, mode }: AttachmentWish): Attachment {
  assert(readSessionName(name) !== undefined, 'only a session of ours is attached to');
  // Who sits in another session of tmux may look at this one in it, and its server is where we left it.
  const server = ['TMUX=', 'TMUX_TMPDIR=', 'tmux', '-L', `interlock-${word}`, '-f', '/dev/null'];
  const words = [...server, 'attach-session', ...(mode === 'read' ? ['-r'] : []), '-t', `=${name}`];
  if (host === undefined) return { file: 'env', args: words };
  const command = `exec env ${words.map(quote).join(' ')}`;
  const options = ['ForwardAgent=no', 'ForwardX11=no', 'ClearAllForwardings=yes'];
  const args = ['-t', ...options.flatMap((option) => ['-o', option]), '--', host.ssh, command];
  return { file: 'ssh', args };
}
