import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Attempt, Launch, Sight } from '../../../server/engine/ports.ts';
import { ProcessTable } from '../../../server/runners/process-identity.ts';
import { EndLog } from '../../support/end-log.ts';
import { untilFile } from '../../support/until-file.ts';
import {
  CommandBench,
  filesIn,
  isGone,
  isLinux,
  program,
  shell,
  untilGone,
} from './command-bench.ts';

const RUNNER = fileURLToPath(new URL('../../../server/runners/slot-runner.ts', import.meta.url));

/**
 * Another process that orders these commands, and answers with the process of each. It is killed as
 * soon as `moment` has come.
 */
async function orderAndDie(
  bench: CommandBench,
  launches: readonly Launch[],
  {
    moment,
    script = "for (const launch of launches) start(launch); console.log('ordered');",
  }: { readonly moment: () => Promise<void>; readonly script?: string },
): Promise<void> {
  const logs = Object.fromEntries(launches.map((launch) => [launch.term, bench.logOf(launch)]));
  const source = `
    import { SlotRunner } from ${JSON.stringify(RUNNER)};
    const logs = ${JSON.stringify(logs)};
    const runner = new SlotRunner({
      commandsFolder: ${JSON.stringify(bench.commandsFolder)},
      logFile: ({ term }) => logs[term],
      parentEnv: process.env,
      news: { started: () => {}, ended: () => onEnd() },
    });
    let onEnd = () => {};
    const launches = ${JSON.stringify(launches)};
    const [first, second] = launches;
    const start = (launch) => runner.start(launch).process;
    ${script}
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await moment();
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function attemptOf({ place, run, definition, term }: Launch): Attempt {
  return { place, run, task: definition.id, term, process: undefined };
}

async function adoptOne(
  bench: CommandBench,
  launch: Launch,
  fields: Partial<Attempt> = {},
): Promise<{
  readonly sight: Sight | undefined;
  readonly runner: ReturnType<CommandBench['open']>;
}> {
  const runner = bench.open();
  const sights = await runner.adopt([{ ...attemptOf(launch), ...fields }]);
  const sight = sights.get(launch.term);
  if (sight?.kind === 'running') onTestFinished(() => killGroup(sight.process.pid));
  return { sight, runner };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

test('a command outlives the process that ordered it, and its end is told to the next', async () => {
  const bench = new CommandBench();
  const launch = bench.launch();
  await orderAndDie(bench, [launch], { moment: async () => bench.begun(launch) });
  const { sight } = await adoptOne(bench, launch);
  expect(sight).toMatchObject({ kind: 'running', process: { pid: bench.slotOf(launch) } });
  await bench.finish(launch, 5);
  const failure = { kind: 'exit', code: 5 };
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'failed', failure });
  // Its slot has nobody to wait for.
  await untilGone(bench.slotOf(launch));
});

test('how a command ended after its process was killed is known', async () => {
  const bench = new CommandBench();
  const launches = [
    bench.launch(shell('echo out; exit 0')),
    bench.launch(shell('exit 9')),
    bench.launch(shell('kill -KILL $$')),
    bench.launch(program('no-such-program')),
  ];
  await orderAndDie(bench, launches, {
    moment: async () => {
      for (const launch of launches) await bench.ended(launch);
    },
  });
  const sights = await bench.open().adopt(launches.map(attemptOf));
  expect(launches.map(({ term }) => sights.get(term))).toEqual([
    { kind: 'ended', end: { kind: 'succeeded' } },
    { kind: 'ended', end: { kind: 'failed', failure: { kind: 'exit', code: 9 } } },
    { kind: 'ended', end: { kind: 'failed', failure: { kind: 'signal', signal: 'SIGKILL' } } },
    { kind: 'ended', end: { kind: 'failed', failure: { kind: 'exit', code: 127 } } },
  ]);
  expect(bench.outputOf(launches[0]!)).toBe('out\n');
});

test('an end that was told and may not have been written is there for the next one', async () => {
  const bench = new CommandBench();
  const launch = bench.launch(shell('exit 4'));
  const runner = bench.open();
  runner.start(launch);
  await bench.ends.of(launch.term);
  runner.close();
  const { sight } = await adoptOne(bench, launch);
  const end = { kind: 'failed', failure: { kind: 'exit', code: 4 } };
  expect(sight).toEqual({ kind: 'ended', end });
});

test('an order that a slot has not read by then is never carried out', async () => {
  const bench = new CommandBench();
  const [first, second] = [bench.launch(shell('true')), bench.launch(shell('touch ran'))];
  // The slot waits for its second order when it is stopped.
  await orderAndDie(bench, [first, second], {
    moment: async () => Promise.resolve(),
    script: `const { pid } = start(first); onEnd = () => {
      process.kill(pid, "SIGSTOP");
      start(second);
      console.log("ordered");
    };`,
  });
  const slot = bench.slotOf(first);
  const { sight } = await adoptOne(bench, second);
  expect(sight).toEqual({ kind: 'never-started' });
  process.kill(slot, 'SIGCONT');
  await untilGone(slot);
  expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
});

test('what was adopted can be asked to end, and be killed', async () => {
  for (const [signal, name] of [
    ['terminate', 'SIGTERM'],
    ['kill', 'SIGKILL'],
  ] as const) {
    const bench = new CommandBench();
    const launch = bench.launch();
    await orderAndDie(bench, [launch], { moment: async () => bench.begun(launch) });
    const { runner } = await adoptOne(bench, launch);
    runner.signal(launch.term, signal);
    expect(await bench.ends.of(launch.term)).toEqual({
      kind: 'failed',
      failure: { kind: 'signal', signal: name },
    });
    expect(isGone(bench.slotOf(launch))).toBe(true);
  }
});

test('an adopted command whose slot is killed is lost, and nothing of it goes on', async () => {
  const bench = new CommandBench();
  const launch = bench.launch(
    shell(
      "sh -c 'echo $$ > pid; exec sleep 300' & while ! test -s pid; do :; done; echo ready; wait",
    ),
  );
  await orderAndDie(bench, [launch], {
    moment: async () => untilFile(bench.logOf(launch), 'ready'),
  });
  await adoptOne(bench, launch);
  process.kill(bench.slotOf(launch), 'SIGKILL');
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'killed' });
  expect(isGone(Number(readFileSync(path.join(bench.root, 'pid'), 'utf8')))).toBe(true);
});

test.runIf(isLinux)(
  'of what died with its slot while nobody was there nothing goes on',
  async () => {
    const bench = new CommandBench();
    const launch = bench.launch(
      shell(
        "setsid sh -c 'echo $$ > pid; exec sleep 300' & while ! test -s pid; do :; done; echo ready; wait",
      ),
    );
    await orderAndDie(bench, [launch], {
      moment: async () => untilFile(bench.logOf(launch), 'ready'),
    });
    process.kill(bench.slotOf(launch), 'SIGKILL');
    await untilGone(bench.slotOf(launch));
    const { sight } = await adoptOne(bench, launch);
    expect(sight).toEqual({ kind: 'gone', cause: 'killed' });
    expect(isGone(Number(readFileSync(path.join(bench.root, 'pid'), 'utf8')))).toBe(true);
  },
);

test('a process that merely has the same number is left alone', async () => {
  const bench = new CommandBench();
  const other = bench.launch();
  const runner = bench.open();
  runner.start(other);
  await bench.begun(other);
  const launch = bench.launch();
  const [writer = ''] = readFileSync(bench.journalOf(other) ?? '', 'utf8').split('\n');
  const stolen = { ...JSON.parse(writer), startTime: '1', slot: 'another' };
  leaveJournal(bench, launch, { writer: stolen, lines: ['begun'] });
  const { sight } = await adoptOne(bench, launch);
  expect(sight).toEqual({ kind: 'gone', cause: 'killed' });
  await bench.finish(other, 0);
  expect(await bench.ends.of(other.term)).toEqual({ kind: 'succeeded' });
});

test('what ran before the machine was started anew is gone with it', async () => {
  const bench = new CommandBench();
  const [begun, unknown] = [bench.launch(), bench.launch()];
  const process = { bootId: 'another boot', pid: globalThis.process.pid, startTime: '1' };
  leaveJournal(bench, begun, { writer: { ...process, slot: 'slot' }, lines: ['begun'] });
  const sights = await bench.open().adopt([attemptOf(begun), { ...attemptOf(unknown), process }]);
  const gone = { kind: 'gone', cause: 'host-lost' };
  expect([...sights.values()]).toEqual([gone, gone]);
});

test('a slot that died with an order that it had only read has nothing that runs', async () => {
  const bench = new CommandBench();
  const launch = bench.launch();
  const process = new ProcessTable().identify(globalThis.process.pid);
  const writer = { ...process, startTime: '1', slot: 'slot' };
  leaveJournal(bench, launch, { writer, lines: [] });
  const sights = await bench.open().adopt([attemptOf(launch)]);
  expect(sights.get(launch.term)).toEqual({ kind: 'gone', cause: 'killed' });
});

for (const [what, spoil] of [
  ['is gone', (journal: string) => rmSync(journal)],
  [
    'is a folder by now',
    (journal: string) => {
      rmSync(journal);
      mkdirSync(journal);
    },
  ],
] as const)
  test(`a command whose journal ${what} is ended, and not taken for one that never began`, async () => {
    const bench = new CommandBench();
    const launch = bench.launch();
    await orderAndDie(bench, [launch], { moment: async () => bench.begun(launch) });
    const pid = bench.slotOf(launch);
    const process = new ProcessTable().identify(pid);
    spoil(bench.journalOf(launch) ?? '');
    const { sight } = await adoptOne(bench, launch, { process });
    expect(sight).toEqual({ kind: 'gone', cause: 'killed' });
    expect(isGone(pid)).toBe(true);
  });

test('a journal that cannot be read is not taken for an empty one', async () => {
  const bench = new CommandBench();
  const launch = bench.launch();
  await orderAndDie(bench, [launch], { moment: async () => bench.begun(launch) });
  const journal = bench.journalOf(launch) ?? '';
  const kept = `${journal}.kept`;
  renameSync(journal, kept);
  symlinkSync(path.basename(journal), journal);
  expect(() => bench.open()).toThrow('ELOOP');
  const over = path.join(`${path.dirname(journal)}.over`, path.basename(journal));
  renameSync(`${over}.kept`, over);
  const { sight } = await adoptOne(bench, launch);
  expect(sight).toMatchObject({ kind: 'running' });
});

/** What a slot of an earlier process has written of one command. */
function leaveJournal(
  bench: CommandBench,
  launch: Launch,
  { writer, lines }: { readonly writer: object; readonly lines: readonly string[] },
): void {
  const folder = path.join(bench.commandsFolder, `slots of ${launch.term}`);
  mkdirSync(folder, { recursive: true });
  const order = `order ${JSON.stringify({ term: launch.term, logFile: bench.logOf(launch) })}`;
  writeFileSync(
    path.join(folder, '1'),
    `${[JSON.stringify(writer), order, ...lines].join('\n')}\n`,
  );
}

test('a line that is not complete is not the end of a command', async () => {
  const bench = new CommandBench();
  const launch = bench.launch();
  bench.open().start(launch);
  await bench.begun(launch);
  const journal = bench.journalOf(launch) ?? '';
  const text = readFileSync(journal, 'utf8');
  writeFileSync(journal, text.replace('begun\n\0\0\0\0\0\0\0', 'begun\nended 0'));
  expect(readFileSync(journal, 'utf8')).toContain('begun\nended 0\0');
  const { sight } = await adoptOne(bench, launch);
  expect(sight).toMatchObject({ kind: 'running' });
});

test('whoever adopts removes what is on record of commands that nobody asks about', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const running = bench.launch();
  runner.start(running);
  await bench.begun(running);
  const { launch: needed } = await bench.run(runner, shell('true'));
  runner.close();
  const journals = [running, needed].map((launch) => path.basename(bench.journalOf(launch) ?? ''));
  const second = bench.open(new EndLog());
  await second.adopt([attemptOf(needed)]);
  const kept = (): readonly string[] =>
    filesIn(bench.commandsFolder).map((file) => path.basename(file));
  expect(kept().toSorted()).toEqual(journals.toSorted());
  await bench.open(new EndLog()).adopt([]);
  expect(kept()).toEqual(journals.slice(0, 1));
  await bench.finish(running, 0);
  await untilGone(bench.slotOf(running));
  await bench.open(new EndLog()).adopt([]);
  expect(kept()).toEqual([]);
});

test('a command that a swept attempt had is not started by an order that comes late', async () => {
  const bench = new CommandBench();
  const launch = bench.launch(shell('touch ran'));
  const runner = bench.open();
  expect(await runner.sweep(attemptOf(launch))).toBe(true);
  expect(runner.start(launch)).toMatchObject({ kind: 'not-started' });
  await bench.run(runner, shell('true'));
  expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
});
