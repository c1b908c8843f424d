import { expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import { CommandMachine } from '../../support/command-machine.ts';
import { settled } from '../../support/hand-time.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SENTENCE =
  'Nobody has accepted the run yet, and it is not waited for. Should it begin all the same, "interlock cancel --all" stops it.';

function nobodyAnswers(): CommandMachine {
  const machine = new CommandMachine();
  machine.lock.holder = '"interlock serve" (process 7)';
  return machine;
}

test('one Ctrl-C ends a run that nobody accepts', async () => {
  const machine = nobodyAnswers();
  const ending = runCommandLine(['run'], machine.terminal);
  await machine.time.pass(1000);
  machine.interrupt();
  await machine.time.pass(500);
  expect(await ending).toBe(130);
  expect(machine.said).toEqual([`err: ${SENTENCE}\n`]);
});

test('two end it at once', async () => {
  const machine = nobodyAnswers();
  const ending = runCommandLine(['run', '--json'], machine.terminal);
  await settled();
  machine.interrupt();
  machine.interrupt();
  expect(await ending).toBe(130);
  expect(machine.said[0]).toBe(
    `out: ${JSON.stringify({ refused: { why: 'interrupted', message: SENTENCE } })}\n`,
  );
});

test('one that is accepted right after it is stopped as always', async () => {
  const machine = nobodyAnswers();
  const ending = runCommandLine(['run'], machine.terminal);
  await settled();
  machine.interrupt();
  machine.lock.holder = undefined;
  await machine.time.pass(400);
  machine.machine.vanish('a');
  await machine.time.pass(1000);
  expect(await ending).toBe(130);
  expect(machine.said.join('')).toContain('Stopping. What runs gets 5 s to end.');
  expect(machine.machine.log).toEqual(['start a', 'terminate a']);
});

test('a serve that finds nobody to follow ends at Ctrl-C, too', async () => {
  const machine = nobodyAnswers();
  const ending = runCommandLine(['serve'], machine.terminal);
  await settled();
  machine.interrupt();
  expect(await ending).toBe(0);
});

test('a serve that leaves says nothing more of who decides', async () => {
  const machine = new CommandMachine();
  const ending = runCommandLine(['serve', '--board', temporaryFolder()], machine.terminal);
  await settled();
  machine.interrupt();
  expect(await ending).toBe(0);
  expect(machine.said.map((text) => text.split(' ')[1])).toEqual(['Deciding', 'Leaving.']);
});
