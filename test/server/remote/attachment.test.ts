import { expect, test } from 'vitest';
import { attachmentOf } from '../../../server/remote/attachment.ts';

const NAME = 'aivcs__shop__api__runner';

test('a session of this machine is shown by tmux, and nothing is typed into it', () => {
  const { file, args } = attachmentOf({ word: 'b', name: NAME, host: undefined, mode: 'read' });
  const tmux = 'TMUX= TMUX_TMPDIR= tmux -L interlock-b -f /dev/null';
  expect([file, ...args].join(' ')).toBe(`env ${tmux} attach-session -r -t =${NAME}`);
});

test('who wants to type may', () => {
  const { args } = attachmentOf({ word: 'b', name: NAME, host: undefined, mode: 'write' });
  expect(args.slice(-3)).toEqual(['attach-session', '-t', `=${NAME}`]);
});

test('a session of a host is shown by the ssh of the user, without any of their keys', () => {
  const host = { ssh: 'kim@build-1' };
  const { file, args } = attachmentOf({ word: 'b', name: NAME, host, mode: 'read' });
  expect([file, ...args.slice(0, -1)].join(' ')).toBe(
    'ssh -t -o ForwardAgent=no -o ForwardX11=no -o ClearAllForwardings=yes -- kim@build-1',
  );
  expect(args.at(-1)).toBe(
    `exec env 'TMUX=' 'TMUX_TMPDIR=' 'tmux' '-L' 'interlock-b' '-f' '/dev/null' 'attach-session' '-r' '-t' '=${NAME}'`,
  );
});

test('no other session is', () => {
  const wish = { word: 'b', host: undefined, mode: 'read' } as const;
  for (const name of ['0', 'main', `${NAME};id`, `=${NAME}`])
    expect(() => attachmentOf({ ...wish, name })).toThrow('only a session of ours');
});
