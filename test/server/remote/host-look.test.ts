import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgeHost } from '../../../server/doctor/host-checks.ts';
import { type Channel, type Link, LinkError } from '../../../server/remote/channel.ts';
import { type HostLookParts, lookAtHost } from '../../../server/remote/host-look.ts';
import { localLink } from '../../../server/remote/local-link.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOST = { name: 'here', ssh: 'here', folder: '/', sync: 'none', capabilities: [] } as const;
let last = 0;

function partsOf(fields: Partial<HostLookParts> = {}): HostLookParts {
  const state = temporaryFolder();
  const env = { ...process.env, XDG_STATE_HOME: state, SHELL: '/bin/sh' };
  return {
    host: HOST,
    link: localLink(env),
    wayTo: async () => 'this machine',
    isKeyOffered: () => undefined,
    hello: `hello-${process.pid}-${(last += 1)}`,
    clock: { now: () => Date.now(), elapsedMs: () => performance.now() },
    signal: new AbortController().signal,
    ...fields,
  };
}

async function oddOf(parts: HostLookParts): Promise<readonly string[]> {
  const checks = judgeHost(await lookAtHost(parts));
  return checks.flatMap(({ name, state, found }) =>
    state === 'fine' || name === 'load' || name === 'disk' ? [] : `${name}: ${found}`,
  );
}

/** A shell that has something to say first. */
function afterSaying(noise: string): Link {
  const link = localLink({ ...process.env, XDG_STATE_HOME: temporaryFolder(), SHELL: '/bin/sh' });
  return {
    open: async (): Promise<Channel> => {
      const channel = await link.open();
      channel.write(`printf '%s' '${noise}'\n`);
      return channel;
    },
    close: () => link.close(),
  };
}

test('a machine with all that is needed is fine, and nothing is left there', async () => {
  const look = await lookAtHost(partsOf());
  expect(await oddOf(partsOf())).toEqual([]);
  expect(look.answers).toMatchObject({ folder: '/', hasSetsid: true, aheadMs: 0 });
  expect(look.answers?.tmux).toMatch(/^tmux \d/);
  expect(look.answers?.cpus).toBeGreaterThan(0);
  expect(look.answers?.freeBytes).toBeGreaterThan(0);
});

test('what is printed at login is shown, and read over', async () => {
  const link = afterSaying('Welcome!\n\u001b[31mLast login: today\nPassword expires soon');
  expect(await oddOf(partsOf({ link }))).toEqual([
    expect.stringMatching(/^noise: its files print at login: Welcome!.*Last login: today/),
  ]);
});

test('a home folder that cannot be written is found', async () => {
  const home = temporaryFolder();
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o400);
  const link = localLink({ ...process.env, XDG_STATE_HOME: file, HOME: home, SHELL: '/bin/sh' });
  expect(await oddOf(partsOf({ link }))).toEqual([`home: nothing can be kept below ${home}`]);
});

test('a machine without programs says which it lacks', async () => {
  const bin = temporaryFolder();
  const link = localLink({ PATH: `${bin}:/nowhere`, HOME: bin });
  const look = await lookAtHost(partsOf({ link, host: { ...HOST, sync: 'git' } }));
  const names = judgeHost(look).flatMap(({ name, state }) => (state === 'wrong' ? [name] : []));
  expect(names).toContain('git');
});

test('a host that cannot be reached says why', async () => {
  const refused = new LinkError('It shows a key that is not known.', { mayPass: false });
  const link: Link = { open: async () => await Promise.reject(refused), close: () => {} };
  expect(await oddOf(partsOf({ link, isKeyOffered: () => true }))).toEqual([
    'host key: It shows a key that is not known.',
  ]);
  expect(await oddOf(partsOf({ link }))).toEqual(['login: It shows a key that is not known.']);
});

test('a host that never answers is left', async () => {
  const leaving = new AbortController();
  const silent: Channel = { write: () => {}, listen: () => {}, close: () => {} };
  const link: Link = { open: async () => silent, close: () => {} };
  const looking = oddOf(partsOf({ link, signal: leaving.signal }));
  leaving.abort();
  expect(await looking).toEqual(['login: It does not answer in time.']);
});
