import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type Channel,
  type ChannelListener,
  type Link,
  LinkError,
} from '../../../server/remote/channel.ts';
import { type HostState, MachineConnection } from '../../../server/remote/machine-connection.ts';

const QUICK = { retryMs: { first: 1, most: 1 }, beatMs: 5, silenceMs: 5, staleMs: 1 };

test('a machine that lets us in and then says nothing is given up like one that is away', async () => {
  const listeners = new Set<ChannelListener>();
  const link: Link = {
    open: async () => {
      let listener: ChannelListener | undefined;
      return {
        write: () => {},
        listen: (heard) => listeners.add((listener = heard)),
        close: () => {
          if (listener !== undefined && listeners.delete(listener)) listener.onClosed('closed');
        },
      };
    },
    close: () => {},
  };
  const onGivenUp = vi.fn<() => void>();
  const connection = new MachineConnection(
    {
      link,
      board: 'board',
      newWord: () => 'a-word',
      random: () => 0.5,
      faulted: nothing,
      timing: QUICK,
    },
    { onReached: nothing, onLost: nothing, onEnd: nothing, onStirred: nothing, onGivenUp },
  );
  onTestFinished(() => connection.close());
  connection.begin();
  await vi.waitFor(() => expect(onGivenUp).toHaveBeenCalledOnce());
  expect(connection.state).toEqual({ kind: 'unhealthy', why: 'its shell says nothing' });
  expect(listeners.size).toBeLessThan(2);
});

test('a mistake of ours is told, and the way is tried again', async () => {
  const faulted = vi.fn<(error: unknown) => void>();
  const error = new Error('a mistake');
  const open = vi.fn<() => Promise<Channel>>().mockRejectedValue(error);
  const connection = new MachineConnection(
    {
      link: { open, close: nothing },
      board: 'board',
      newWord: () => 'a-word',
      random: () => 0.5,
      faulted,
      timing: QUICK,
    },
    { onReached: nothing, onLost: nothing, onEnd: nothing, onStirred: nothing, onGivenUp: nothing },
  );
  onTestFinished(() => connection.close());
  connection.begin();
  await vi.waitFor(() => expect(open.mock.calls.length).toBeGreaterThan(2));
  expect(faulted).toHaveBeenCalledWith(error);
  expect(connection.state).toMatchObject({ why: 'a mistake' });
});

test('after a login that was refused nobody comes again soon, but at once where somebody has seen to it', async () => {
  const refused = new LinkError('box refuses all keys', { mayPass: false, isRefused: true });
  const open = vi.fn<() => Promise<Channel>>().mockRejectedValue(refused);
  const onState = vi.fn<(state: HostState) => void>();
  const connection = new MachineConnection(
    {
      link: { open, close: nothing },
      board: 'board',
      newWord: () => 'a-word',
      random: () => 0.5,
      faulted: nothing,
      timing: { ...QUICK, retryMs: { first: 1, most: 60_000 } },
    },
    {
      onReached: nothing,
      onLost: nothing,
      onEnd: nothing,
      onStirred: nothing,
      onGivenUp: nothing,
      onState,
    },
  );
  onTestFinished(() => connection.close());
  connection.begin();
  for (const times of [1, 2, 3]) {
    await vi.waitFor(() => expect(onState).toHaveBeenCalledTimes(times));
    expect(open).toHaveBeenCalledTimes(times);
    connection.hurry();
  }
});

function nothing(): void {}
