import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectOnBox, setHosts } from '../support/project-on-box.ts';
import { Sshd } from '../support/sshd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typeIn } from '../support/typed-in-tmux.ts';
import { untilFile } from '../support/until-file.ts';

const PLAN = `tasks:
  api: { on: box, in: tmux, run: 'echo so far; echo begun > begun; while [ ! -e go ]; do sleep 0.1; done' }
`;
const LOGGED = `tasks:
  api: { on: box, run: 'echo begun | tee begun; while [ ! -e go ]; do sleep 0.1; done; echo ended; echo ran >> ran' }
`;
const TWICE = `tasks:
  api: { on: [box, spare], run: 'echo $$ >> begun; [ "$(wc -l < begun)" -gt 1 ] || exec sleep 600' }
`;
let sshd: Sshd;

beforeAll(async () => {
  sshd = await Sshd.start({ loginShell: { program: '/bin/sh' } });
});

afterAll(async () => {
  await sshd.stop();
});

test('a host is checked, and what is found is fine', async () => {
  const { folder, env } = projectOnBox(sshd, PLAN);
  expect(await cli(['hosts'], folder, env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('box'),
  });
  const { out } = await cli(['hosts', 'check', 'box'], folder, env);
  expect(out).toMatch(/✓ ssh +\S+@127\.0\.0\.1, port \d+$/m);
  expect(out).toMatch(/✓ host key +known$/m);
  expect(out).toMatch(/✓ login +\S+, \/bin\/sh, Linux/m);
  expect(out).toMatch(/✓ noise +nothing/m);
  expect(out).toMatch(/✓ tmux +tmux \d/m);
  expect(out).toMatch(/✓ clock +agrees/m);
});

test('a host that nobody knows is refused, until its key is trusted', async () => {
  const { folder, env } = projectOnBox(sshd, PLAN);
  sshd.know([]);
  onTestFinished(() => sshd.know(['ed25519']));
  const before = await cli(['hosts', 'check'], folder, env);
  expect(before.code).toBe(1);
  expect(before.out).toMatch(/✗ host key +box is not known/);
  const run = startCli(['run'], folder, env);
  await run.says('Host "box" cannot be reached. box is not known: ');
  expect((await cli(['hosts'], folder, env)).out).toMatch(/^box +.* unreachable$/m);
  const asked = await cli(['hosts', 'trust', 'box'], folder, env);
  expect(asked).toMatchObject({ code: 4, err: expect.stringContaining('--fingerprint SHA256:…') });
  const [print = ''] = /SHA256:\S+/.exec(asked.err) ?? [];
  const wrong = await cli(['hosts', 'trust', 'box', '--fingerprint', 'SHA256:x'], folder, env);
  expect(wrong.code).toBe(4);
  expect(readFileSync(sshd.knownHostsFile, 'utf8')).toBe('');
  const trusted = await cli(['hosts', 'trust', 'box', '--fingerprint', print], folder, env);
  expect(trusted).toMatchObject({ code: 0, out: `Written down in ${sshd.knownHostsFile}.\n` });
  expect(readFileSync(sshd.knownHostsFile, 'utf8').trim()).toBe(sshd.knownLine('ed25519'));
});

test('a task on a host is looked into by ssh, and its session goes with it', async () => {
  const { folder, env } = projectOnBox(sshd, PLAN);
  const run = startCli(['run'], folder, env);
  await untilFile(path.join(folder, 'begun'), 'begun\n');
  const listed = await cli(['session', 'list', '--on', 'box'], folder, env);
  expect(listed.out).toMatch(/^box +runner +alone .* aivcs__\S+__api__runner$/m);
  const [name = ''] = /aivcs__\S+/.exec(listed.out) ?? [];
  expect((await cli(['hosts'], folder, env)).out).toMatch(/^box +.* reachable$/m);
  const outer = typeIn(folder, 'attach api', env);
  const screen = (): string => outer('capture-pane', '-p');
  while (!screen().includes('so far')) await delay(20);
  outer('send-keys', 'C-b', 'd');
  while (!screen().includes('left with 0')) await delay(20);
  const killed = await cli(['session', 'kill', name, '--on', 'box'], folder, env);
  expect(killed).toMatchObject({ code: 4, err: expect.stringContaining('"api" is at work') });
  writeFileSync(path.join(folder, 'go'), '');
  expect((await run.ended).code).toBe(0);
  expect((await cli(['log', 'api'], folder, env)).out).toBe('so far\r\n');
  expect((await cli(['session', 'list'], folder, env)).err).toBe('There are no sessions.\n');
});

test('a command line that is killed loses no task: the next one takes it up', async () => {
  const { folder, env } = projectOnBox(sshd, LOGGED);
  const first = startCli(['run'], folder, env);
  await untilFile(path.join(folder, 'begun'), 'begun\n');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = startCli(['run'], folder, env);
  await second.says('goes on where it was interrupted');
  writeFileSync(path.join(folder, 'go'), '');
  expect(await second.ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('api: completed'),
  });
  expect((await cli(['log', 'api'], folder, env)).out).toBe('begun\nended\n');
  expect(readFileSync(path.join(folder, 'ran'), 'utf8')).toBe('ran\n');
});

test('a connection that is cut in the middle loses nothing', async () => {
  const { folder, env } = projectOnBox(sshd, LOGGED);
  const run = startCli(['run'], folder, env);
  await untilFile(path.join(folder, 'begun'), 'begun\n');
  sshd.cut();
  writeFileSync(path.join(folder, 'go'), '');
  expect((await run.ended).code).toBe(0);
  expect((await cli(['log', 'api'], folder, env)).out).toBe('begun\nended\n');
  expect(readFileSync(path.join(folder, 'ran'), 'utf8')).toBe('ran\n');
});

test('a run that takes over a task on a host that cannot be reached waits for it', async () => {
  const { folder, env } = projectOnBox(sshd, PLAN);
  const first = startCli(['run'], folder, env);
  await untilFile(path.join(folder, 'begun'), 'begun\n');
  first.child.kill('SIGKILL');
  await first.ended;
  sshd.know([]);
  onTestFinished(() => sshd.know(['ed25519']));
  const second = startCli(['run'], folder, env);
  await second.says('Host "box" cannot be reached. box is not known: ');
  expect((await cli(['hosts'], folder, env)).out).toMatch(/^box +.* unreachable$/m);
  sshd.know(['ed25519']);
  await second.says('Host "box" can be reached again.');
  writeFileSync(path.join(folder, 'go'), '');
  expect(await second.ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 completed, 0 failed'),
  });
  expect((await cli(['log', 'api'], folder, env)).out).toBe('so far\r\n');
}, 60_000);

test('what runs on a host of which the user says that it never comes back runs elsewhere', async () => {
  const { folder, env } = projectOnBox(sshd, TWICE);
  setHosts(folder, { box: {}, spare: {} });
  const run = startCli(['run'], folder, env);
  await untilFile(path.join(folder, 'begun'), '\n');
  onTestFinished(() => void process.kill(Number.parseInt(begun(), 10)));
  const begun = (): string => readFileSync(path.join(folder, 'begun'), 'utf8');
  const { out } = await cli(['status'], folder, env);
  const [, gone = '', ...more] = /^api +running +on (box|spare)$/m.exec(out) ?? [];
  expect([gone, more]).toEqual([expect.stringMatching(/./), []]);
  setHosts(folder, { box: {}, spare: {}, [gone]: { gone: true } });
  expect(await run.ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('api: lost (its machine was lost, tried again in'),
  });
  expect(begun().trim().split('\n')).toHaveLength(2);
  expect((await cli(['hosts'], folder, env)).out).toContain(`${gone} is gone for ever`);
});

test('a task that is named runs on a host this once, if it is one', async () => {
  const { folder, env } = projectOnBox(sshd, 'tasks:\n  api: { run: "echo ran >> ran" }\n');
  const ran = await cli(['run', 'api', '--on', 'box'], folder, env);
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('api: running (on box)') });
  expect(readFileSync(path.join(folder, 'ran'), 'utf8')).toBe('ran\n');
  expect(await cli(['run', 'api', '--on', 'bxo'], folder, env)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/"bxo" is not among your hosts \(box\).* Did you mean "box"\?$/m),
  });
  expect((await cli(['run', '--on', 'box'], folder, env)).err).toMatch(/^Say which tasks/);
});

test('what a host has made that is gone for ever does not come over what was made elsewhere', async () => {
  const { folder, env } = projectOnBox(
    sshd,
    "tasks:\n  api: { on: [box, spare], writes: [out], run: 'printenv INTERLOCK_ATTEMPT > out' }\n",
  );
  const far = { sync: 'rsync', folder: temporaryFolder() };
  setHosts(folder, { box: far, spare: { ...far, gone: true } });
  const [slow, begun] = [path.join(folder, '.bin', 'slow'), path.join(folder, '.bin', 'begun')];
  writeFileSync(slow, '');
  // The first that rsync has to bring back takes its time.
  writeFileSync(
    path.join(folder, '.bin', 'ssh'),
    `#!/bin/sh
case "$*" in *rsync*--sender*) rm '${slow}' 2>/dev/null && { echo begun >'${begun}'; sleep 6; } ;; esac
exec /usr/bin/ssh -F '${sshd.configFile}' "$@"
`,
  );
  const run = startCli(['run'], folder, env);
  await untilFile(begun, 'begun\n');
  setHosts(folder, { box: { ...far, gone: true }, spare: far });
  const { out } = await run.ended;
  expect(out).toContain('api: running (on spare, attempt 2)');
  expect(out).toContain('api: completed');
  expect(readFileSync(path.join(folder, 'out'), 'utf8')).toBe('2\n');
}, 60_000);
