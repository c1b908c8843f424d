import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import { CommandMachine } from '../../support/command-machine.ts';
import type { HandMachines } from '../../support/hand-machines.ts';

const DAY_MS = 86_400_000;
const API = 'aivcs__shop__api__runner';
const OWN = 'aivcs__shop__review__human';

function machineWith(set: (machines: HandMachines) => void): CommandMachine {
  const machine = new CommandMachine();
  machine.isAttended = true;
  set(machine.machines);
  return machine;
}

/** What it says, line by line, and its exit code. */
async function typed(machine: CommandMachine, line: string): Promise<string> {
  machine.said.length = 0;
  const code = await runCommandLine(line.split(' '), machine.terminal);
  return [...machine.said.join('').split('\n'), `exit ${code}`].filter(Boolean).join('\n');
}

function names({ machines }: CommandMachine): readonly string[] {
  return machines.places.flatMap((place) => [...machines.at(place).sessions.keys()]);
}

describe('session list', () => {
  test('shows sessions of all machines, and those of others as what they are', async () => {
    const machine = machineWith((machines) => {
      machines.put('local', API, { clients: 2 });
      machines.put('build-1', OWN, { changedAt: machines.now - DAY_MS });
      machines.put('build-1', 'aivcs__shop__ui__agent', { isOver: true });
      machines.at('build-1').foreign.push('music');
    });
    expect(await typed(machine, 'session list')).toMatchInlineSnapshot(`
      "out: MACHINE  ROLE      STATE        QUIET FOR   NAME
      out: local    runner    2 looking    0 ms        aivcs__shop__api__runner
      out: build-1  human     alone        24 h 0 min  aivcs__shop__review__human
      out: build-1  agent     ended, kept  0 ms        aivcs__shop__ui__agent
      out: build-1  not ours                           music
      exit 0"
    `);
  });

  test('says which machine does not answer, and shows the others', async () => {
    const machine = machineWith((machines) => {
      machines.put('local', API);
      machines.at('build-1').isReachable = false;
      machines.at('build-2').hasTmux = false;
    });
    expect(await typed(machine, 'session list')).toMatchInlineSnapshot(`
      "out: MACHINE  ROLE    STATE  QUIET FOR  NAME
      out: local    runner  alone  0 ms       aivcs__shop__api__runner
      err: "build-1": It does not answer.
      err: "build-2" has no tmux.
      exit 0"
    `);
    expect(await typed(machine, 'session list --on build-1')).toMatchInlineSnapshot(`
      "err: "build-1": It does not answer.
      exit 5"
    `);
    expect(await typed(machine, 'session list --on build-3')).toMatchInlineSnapshot(`
      "err: "build-3" is not among your hosts (build-1, build-2): name it in the setting interlock.hosts. Did you mean "build-1"?
      exit 2"
    `);
  });

  test('says which machines have none, where another does not answer', async () => {
    const machine = machineWith((machines) => {
      machines.at('build-1').isReachable = false;
    });
    expect(await typed(machine, 'session list')).toMatchInlineSnapshot(`
      "err: No sessions on: local.
      err: "build-1": It does not answer.
      exit 0"
    `);
  });

  test('is one document for programs', async () => {
    const machine = machineWith((machines) => {
      machines.put('local', API);
      machines.at('build-1').isReachable = false;
    });
    await typed(machine, 'session list --json');
    expect(JSON.parse(machine.said.join('').slice('out: '.length))).toMatchObject({
      machines: [
        { kind: 'seen', place: 'local', sessions: [{ name: API, work: 'api', role: 'runner' }] },
        { kind: 'unreachable', place: 'build-1' },
      ],
    });
  });
});

describe('session attach', () => {
  test('makes a session of your own, once, and types into it', async () => {
    const machine = machineWith(() => {});
    expect(await typed(machine, 'session attach review')).toBe('exit 0');
    expect(await typed(machine, 'session attach review --read-only')).toMatch(/To look only/);
    expect(machine.machines.shown).toEqual([`show local ${OWN} write`, `show local ${OWN} read`]);
    expect(names(machine)).toEqual([OWN]);
  });

  test('makes it on a host that is named, and calls it "shell" without a name', async () => {
    const machine = machineWith((machines) => void machines.at('build-1'));
    expect(await typed(machine, 'session attach --on build-1')).toBe('exit 0');
    expect(machine.machines.shown).toEqual(['show build-1 aivcs__shop__shell__human write']);
  });

  test('leaves one that is not ours alone', async () => {
    const machine = machineWith((machines) => void machines.put('local', OWN));
    expect(await typed(machine, 'session attach review')).toMatchInlineSnapshot(`
      "err: There is a session "aivcs__shop__review__human" already that is not ours.
      exit 4"
    `);
    expect(machine.machines.shown).toEqual([]);
  });

  test('finds the session of a task, and only looks', async () => {
    const machine = machineWith((machines) => void machines.put('build-1', API));
    expect(await typed(machine, 'session attach api --role runner')).toMatch(/exit 0/);
    expect(await typed(machine, 'session attach api --role runner --write')).toBe('exit 0');
    expect(machine.machines.shown).toEqual([
      `show build-1 ${API} read`,
      `show build-1 ${API} write`,
    ]);
  });

  test('needs a terminal', async () => {
    const machine = machineWith((machines) => void machines.put('local', API));
    machine.isAttended = false;
    expect(await typed(machine, 'session attach review')).toMatchInlineSnapshot(`
      "err: A session is shown in a terminal, and there is none here.
      exit 2"
    `);
  });

  test('says that ssh ended badly', async () => {
    const machine = machineWith((machines) => void machines.put('build-1', API));
    machine.machines.exitCode = 255;
    expect(await typed(machine, 'session attach api --role runner --write')).toMatchInlineSnapshot(`
      "err: ssh to "build-1" ended with exit code 255.
      exit 5"
    `);
  });
});

describe('session kill', () => {
  test('ends the session of exactly this name, also one of a person', async () => {
    const machine = machineWith((machines) => {
      machines.put('local', OWN);
      machines.put('local', 'aivcs__shop__review-2__human');
    });
    expect(await typed(machine, `session kill ${OWN}`)).toMatchInlineSnapshot(`
      "out: Ended aivcs__shop__review__human.
      exit 0"
    `);
    expect(names(machine)).toEqual(['aivcs__shop__review-2__human']);
  });

  test('asks which one, where two machines have it', async () => {
    const machine = machineWith((machines) => {
      machines.put('local', API);
      machines.put('build-1', API);
    });
    expect(await typed(machine, `session kill ${API}`)).toMatchInlineSnapshot(`
      "err: "aivcs__shop__api__runner" is on local, build-1. Say which one with --on.
      exit 2"
    `);
    expect(await typed(machine, `session kill ${API} --on build-1`)).toMatch(/exit 0/);
    expect(machine.machines.at('local').sessions.size).toBe(1);
  });

  test('tells that it may be where nobody answers', async () => {
    const machine = machineWith((machines) => void (machines.at('build-1').isReachable = false));
    expect(await typed(machine, `session kill ${API}`)).toMatchInlineSnapshot(`
      "err: There is no session "aivcs__shop__api__runner". It does not answer.
      exit 5"
    `);
  });
});

describe('session prune', () => {
  test('ends what was quiet for so long, and nothing of people and agents', async () => {
    const machine = machineWith((machines) => {
      const changedAt = machines.now - 3 * DAY_MS;
      machines.put('local', API, { changedAt });
      machines.put('local', 'aivcs__shop__new__runner');
      machines.put('local', OWN, { changedAt });
      machines.put('build-1', 'aivcs__shop__ui__agent', { changedAt, isOver: true });
    });
    expect(await typed(machine, 'session prune --older-than 2d')).toMatchInlineSnapshot(`
      "out: Ended aivcs__shop__api__runner (local).
      exit 0"
    `);
    expect(names(machine)).toHaveLength(3);
    expect(await typed(machine, 'session prune --older-than 2d --role agent'))
      .toMatchInlineSnapshot(`
      "out: Ended aivcs__shop__ui__agent (build-1).
      exit 0"
    `);
    expect(await typed(machine, 'session prune --older-than 2d')).toMatchInlineSnapshot(`
      "err: There is nothing to end.
      exit 0"
    `);
    expect(names(machine)).toEqual(['aivcs__shop__new__runner', OWN]);
  });
});

/** One sentence, and an exit code. */
function check(line: string, sentence: string): void {
  test(`session ${line}: ${sentence}`, async () => {
    const machine = machineWith(() => {});
    const said = await typed(machine, `session ${line}`);
    expect(said.startsWith(`err: ${sentence}`) ? sentence : said).toBe(sentence);
    expect(said).toMatch(/\nexit [24]$/);
    expect(machine.machines.shown).toEqual([]);
  });
}

describe('what cannot be done is said', () => {
  check('attach ui --role runner', 'There is no session "aivcs__shop__ui__runner".');
  check('attach a/b', 'The name of the work has "/" in it, and a session is named after it.');
  check('attach x --role cat', '--role is agent or runner or human, not "cat".');
  check('attach x --read-only --write', '--read-only and --write say opposite things.');
  check('attach x y', '"y" is one word too many.');
  check('list x', '"x" is one word too many.');
  check('kill', 'Name one session: interlock session kill NAME');
  check('kill music', '"music" is no session of Interlock. Whoever made it ends it.');
  check('kill aivcs__shop__ui__runner', 'There is no session "aivcs__shop__ui__runner".');
  check('prune --role human', 'Sessions of people are ended one by one:');
  check('prune --older-than 2', '--older-than takes a duration such as 30s');
  check('dance', '"dance" is not one of list, attach, kill, prune.');
});
