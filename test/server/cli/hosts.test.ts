import { expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import { CommandMachine } from '../../support/command-machine.ts';

const OFFER = {
  kind: 'offered',
  type: 'ssh-ed25519',
  fingerprint: 'SHA256:abc',
  name: '[build-1.example]:2222',
  file: '/srv/kim/.ssh/known_hosts',
} as const;

function machineWith(...hosts: readonly string[]): CommandMachine {
  const machine = new CommandMachine();
  machine.isAttended = true;
  for (const host of hosts) machine.machines.at(host);
  return machine;
}

async function typed(machine: CommandMachine, line: string): Promise<string> {
  machine.said.length = 0;
  const code = await runCommandLine(line.split(' '), machine.terminal);
  return [...machine.said.join('').split('\n'), `exit ${code}`].filter(Boolean).join('\n');
}

test('hosts are shown as they are set, with what is wrong in the settings', async () => {
  const machine = machineWith('build-1', 'gpu');
  expect(await typed(machine, 'hosts')).toMatchInlineSnapshot(`
    "out: NAME     SSH          FOLDER  SYNC  SLOTS  CAPABILITIES  STATE
    out: build-1  kim@build-1  ~/code  git
    out: gpu      kim@gpu      ~/code  git
    exit 0"
  `);
  machine.machines.problems = ['"x": "slots" is a number.'];
  expect(await typed(machine, 'hosts')).toMatch(/err: "x": "slots" is a number.\nexit 1$/);
  await typed(machine, 'hosts --json');
  expect(JSON.parse(machine.said[0]?.slice('out: '.length) ?? '')).toMatchObject({
    hosts: [{ name: 'build-1', state: null }, { name: 'gpu' }],
    problems: ['"x": "slots" is a number.'],
  });
  expect(await typed(machineWith(), 'hosts')).toMatch(/There are no hosts in your settings/);
});

test('a host that is gone is said to be', async () => {
  const machine = machineWith();
  machine.machines.gone = ['build-1'];
  expect(await typed(machine, 'hosts')).toMatchInlineSnapshot(`
    "out: build-1 is gone for ever, as your settings say.
    exit 0"
  `);
});

test('a check says of each host what is found and what to do', async () => {
  const machine = machineWith('build-1', 'gpu');
  machine.machines.checks.set('gpu', [
    { name: 'ssh', state: 'fine', found: 'kim@gpu, port 22' },
    { name: 'login', state: 'wrong', found: 'It is refused.', advice: 'Make "ssh gpu" work.' },
    { name: 'clock', state: 'note', found: '2 min ahead', advice: 'Set it.' },
  ]);
  expect(await typed(machine, 'hosts check')).toMatchInlineSnapshot(`
    "out: build-1
    out:   ✓ login     kim
    out: gpu
    out:   ✓ ssh       kim@gpu, port 22
    out:   ✗ login     It is refused.
                  Make "ssh gpu" work.
    out:   ! clock     2 min ahead
                  Set it.
    exit 1"
  `);
  expect(await typed(machine, 'hosts check build-1')).toMatch(/exit 0$/);
  expect(await typed(machine, 'hosts check gpu --json')).toMatch(/"host":"gpu".*\nexit 1$/);
});

test('a key is trusted when somebody who has seen it says yes', async () => {
  const machine = machineWith('build-1');
  machine.machines.keys.set('build-1', OFFER);
  machine.typed = 'yes\n';
  expect(await typed(machine, 'hosts trust build-1')).toMatchInlineSnapshot(`
    "err: "build-1" ([build-1.example]:2222) shows a ssh-ed25519 key that is not known:
    err:   SHA256:abc
    err: Is that what whoever runs it says? Type yes to trust it: out: Written down in /srv/kim/.ssh/known_hosts.
    exit 0"
  `);
  expect(machine.machines.trusted).toEqual(['build-1 SHA256:abc']);
  expect(await typed(machine, 'hosts trust build-1')).toMatch(/is known already.\nexit 0$/);
});

test('a key is not trusted where nobody says so', async () => {
  const machine = machineWith('build-1');
  machine.machines.keys.set('build-1', OFFER);
  for (const answer of ['', '\n', 'y\n', 'SHA256:abc\n', 'no yes\n']) {
    machine.typed = answer;
    expect(await typed(machine, 'hosts trust build-1')).toMatch(
      /Nothing was written down.\nexit 4$/,
    );
  }
  machine.typed = 'yes\n';
  machine.isAttended = false;
  expect(await typed(machine, 'hosts trust build-1')).toMatch(/exit 4$/);
  expect(await typed(machine, 'hosts trust build-1 --json')).toMatch(/exit 4$/);
  expect(await typed(machine, 'hosts trust build-1 --fingerprint SHA256:abd')).toMatch(/exit 4$/);
  expect(machine.machines.trusted).toEqual([]);
  expect(await typed(machine, 'hosts trust build-1 --fingerprint SHA256:abc')).toMatch(/exit 0$/);
  expect(machine.machines.trusted).toEqual(['build-1 SHA256:abc']);
});

test('a key that has changed is nothing to be trusted', async () => {
  const machine = machineWith('build-1');
  const message = 'build-1 is not who it was.';
  machine.machines.keys.set('build-1', { kind: 'refused', message });
  expect(await typed(machine, 'hosts trust build-1')).toBe(`err: ${message}\nexit 4`);
});

test('what is wrong in the settings is said wherever a host is not found, and is no success', async () => {
  const machine = machineWith();
  machine.machines.problems = ['hosts.json is not JSON.'];
  expect(await typed(machine, 'hosts check')).toMatchInlineSnapshot(`
    "err: hosts.json is not JSON.
    exit 1"
  `);
  expect(await typed(machine, 'hosts check gpu')).toMatchInlineSnapshot(`
    "err: hosts.json is not JSON.
    err: "gpu" is not among your hosts (you have none): name it in the setting interlock.hosts.
    exit 2"
  `);
});

test('what is meant has to be clear', async () => {
  const machine = machineWith('build-1');
  expect(await typed(machine, 'hosts check gpu')).toMatchInlineSnapshot(`
    "err: "gpu" is not among your hosts (build-1): name it in the setting interlock.hosts.
    exit 2"
  `);
  expect(await typed(machine, 'hosts dance')).toMatchInlineSnapshot(`
    "err: "dance" is not one of check, trust.
    exit 2"
  `);
  expect(await typed(machine, 'hosts trust')).toMatchInlineSnapshot(`
    "err: Name one host: interlock hosts trust NAME
    exit 2"
  `);
  expect(await typed(machine, 'hosts check local')).toMatch(/exit 2$/);
});
