import { expect, test } from 'vitest';
import { CHECK_HOST, FIND_SESSION, LIST_HOSTS, TRUST_HOST_KEY } from '../../../protocol/hosts.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const PLAN = { 'interlock.yaml': 'tasks:\n  a: { run: "true" }\n' };
const HOSTS = { 'build-1': { ssh: 'kim@build.example' }, wrong: { slots: 0 } };

async function asking(
  isTrusted: boolean,
): Promise<(method: string, params: object) => Promise<unknown>> {
  const folder = await OpenFolder.open(PLAN, {}, { isTrusted, hosts: HOSTS });
  await folder.client.until(() => folder.client.states === 'a idle');
  const folderUri = folder.uri('').replace(/\/$/, '');
  return async (method, params) =>
    await folder.client.connection.sendRequest(method, { folderUri, ...params });
}

test('a client is told which hosts there are, and what is wrong in the settings', async () => {
  const ask = await asking(false);
  expect(await ask(LIST_HOSTS, {})).toEqual({
    hosts: [{ name: 'build-1', ssh: 'kim@build.example' }],
    problems: [expect.stringContaining('"slots" is a number')],
  });
});

test('only hosts of the settings are gone to', async () => {
  const ask = await asking(true);
  for (const host of ['other', 'local', '', 7, undefined])
    await expect(ask(CHECK_HOST, { host })).rejects.toThrow('"host" is the name of a host');
  await expect(ask(TRUST_HOST_KEY, { host: 'build-1' })).rejects.toThrow('"fingerprint" is');
});

test('a session is looked for only in a folder that is trusted, and of a task that has run', async () => {
  const wish = { plan: 'interlock.yaml', id: 'a', mode: 'read' };
  const untrusted = await asking(false);
  await expect(untrusted(FIND_SESSION, wish)).rejects.toThrow('Trust this folder first.');
  const ask = await asking(true);
  expect(await ask(FIND_SESSION, wish)).toEqual({
    kind: 'refused',
    message: '"a" has not run yet.',
  });
  await expect(ask(FIND_SESSION, { ...wish, mode: 'shout' })).rejects.toThrow('"mode" is');
});
