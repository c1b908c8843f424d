import { expect, test } from 'vitest';
import { ShellLost } from '../../../server/remote/host-shell.ts';
import { TmuxControl } from '../../../server/remote/tmux-control.ts';

test('a server of tmux that does not answer is not waited for', async () => {
  const log: string[] = [];
  const control = new TmuxControl(
    {
      write: (text) => void log.push(String(text).split('\n', 1)[0] ?? ''),
      listen: () => {},
      close: () => void log.push('closed'),
    },
    { onLost: ({ message }) => void log.push(message), onStirred: () => {} },
    10,
  );
  const asked = control.ask(['new-session']).catch((error: unknown) => error);
  control.greeted.catch(() => {});
  expect(await asked).toBeInstanceOf(ShellLost);
  expect(log).toEqual(['new-session', 'tmux does not answer', 'closed']);
});
