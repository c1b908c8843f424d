import { expect, test } from 'vitest';
import { lookAt } from '../../../server/board/sessions-seen.ts';
import type { Link } from '../../../server/remote/channel.ts';
import { HostSights } from '../../../server/remote/host-sights.ts';
import { localLink } from '../../../server/remote/local-link.ts';
import { RemoteMachines } from '../../../server/remote/remote-machines.ts';

test('a host that goes while it is asked for its sessions keeps no other from being seen', async () => {
  const machines = new RemoteMachines({
    boardName: () => `test-${process.pid}`,
    repo: 'shop',
    root: '/',
    set: {
      hosts: [{ name: 'away', ssh: 'away', folder: '~', sync: 'none', capabilities: [] }],
      gone: [],
      problems: [],
      onChanged: () => ({ [Symbol.dispose]: nothing }),
    },
    sights: new HostSights(),
    ssh: {
      linkTo: (host) =>
        host === undefined ? localLink(process.env) : going(localLink(process.env)),
      wayTo: async () => '',
      keyOf: () => ({ kind: 'none' }),
    },
    hurry: nothing,
    newWord: () => 'a-word-of-ours',
    timeOfDay: () => 0,
  });
  const [here, away] = await lookAt(machines, machines.places);
  expect(here?.kind).toBe('seen');
  expect(away).toEqual({
    kind: 'unreachable',
    place: 'away',
    message: '"away" does not answer: its shell has ended.',
  });
});

/** It lets us in, and is gone with the first question. */
function going(link: Link): Link {
  return {
    close: () => link.close(),
    open: async () => {
      const channel = await link.open();
      return {
        close: () => channel.close(),
        listen: (listener) => channel.listen(listener),
        write: (text) => channel.write(String(text).startsWith('il_ask') ? 'exit\n' : text),
      };
    },
  };
}

function nothing(): void {}
