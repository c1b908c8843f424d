import { expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/command-line.ts';
import { CommandMachine } from '../../support/command-machine.ts';
import { request } from '../../support/engine-world.ts';
import { definition } from '../../support/runs.ts';
import { methodsOf } from '../../support/store-methods.ts';

/** Whoever decides there makes a mistake in its first decision about a task. */
function wrongMachine(): CommandMachine {
  return new CommandMachine((store) => ({ ...methodsOf(store), commit: decideWrongly }));
}

function decideWrongly(): never {
  throw new Error('One is not two.');
}

const sentence = (who: string): string =>
  `Interlock found a mistake of its own in deciding (Error: One is not two.): ${who} starts and ends nothing more, and what runs goes on. ` +
  'End that process and run again; please report it with what "interlock export" writes.';

test('a run ends with 5 and what to do when the command makes a mistake in deciding', async () => {
  const machine = wrongMachine();
  expect(await runCommandLine(['run'], machine.terminal)).toBe(5);
  expect(machine.said).toEqual([`err: ${sentence('the command')}\n`]);
});

test('it is one document for programs', async () => {
  const machine = wrongMachine();
  expect(await runCommandLine(['run', '--json'], machine.terminal)).toBe(5);
  const out = machine.said.find((text) => text.startsWith('out: ')) ?? '';
  const message = sentence('the command');
  expect(JSON.parse(out.slice(5))).toEqual({ refused: { why: 'mistake', message } });
});

for (const when of ['before', 'after'] as const)
  test(`a run ends, too, when another process decides and made its mistake ${when} it came`, async () => {
    const machine = wrongMachine();
    const listener = { changed: () => {}, noticed: () => {}, faulted: () => {}, halted: () => {} };
    const options = { permission: 'granted', carriesOn: 'all', listener } as const;
    const { keeper } = machine.open(options, 'a window');
    await keeper.takePart();
    const other = request({ plan: 'other.interlock.yaml', tasks: [definition('b')] });
    if (when === 'before') await keeper.calls.submit(other);
    expect(await runCommandLine(['run'], machine.terminal)).toBe(5);
    expect(machine.said).toEqual([`err: ${sentence('a window')}\n`]);
    await keeper.close();
  });
