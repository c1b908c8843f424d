import { expect, onTestFinished, test, vi } from 'vitest';
import { ShellLost } from '../../../server/remote/host-shell.ts';
import { TmuxControl } from '../../../server/remote/tmux-control.ts';

test('a server of tmux that does not answer is not waited for', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const control = new TmuxControl(
    {
      write: (text) => void log.push(String(text).split('\n', 1)[0] ?? ''),
      listen: () => {},
      close: () => void log.push('closed'),
    },
    { onLost: (why) => void log.push(why), onStirred: () => {} },
  );
  const asked = control.ask(['new-session']).catch((error: unknown) => error);
  control.greeted.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await asked).toBeInstanceOf(ShellLost);
  expect(log).toEqual(['new-session', 'closed', 'tmux does not answer']);
});
