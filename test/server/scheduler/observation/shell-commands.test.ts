import { expect, test } from 'vitest';
import { instant } from '../../../../server/domain/time.ts';
import { BoardModel } from '../../../../server/scheduler/model/board-model.ts';
import {
  type ShellCommand,
  ShellCommands,
} from '../../../../server/scheduler/observation/shell-commands.ts';
import { definition, manifest, runId } from '../../../support/runs.ts';
import { taskId, workerId } from '../../../support/snapshots.ts';

const RIVAL = workerId('agent/rival');
const KIM = workerId('kim');
const COMMAND: ShellCommand = {
  worker: workerId('agent/ann'),
  session: 's1',
  call: '',
  tree: '/project',
};

/** A rival has `src/**` by its task, and kim `docs/**` without one. */
function board({ isUnsaved = false } = {}): BoardModel {
  const model = new BoardModel({ foldCase: false });
  const at = instant(0);
  const tasks = [definition('r', { asks: { doer: { kind: 'agent' } }, writes: ['src/**'] })];
  model.apply({ kind: 'runSubmitted', at, manifest: manifest(1, { tasks }) });
  const claimed = { kind: 'taskClaimed', at, term: 1, worker: RIVAL } as const;
  model.apply({ kind: 'taskMoved', run: runId(1), task: taskId('r'), event: claimed });
  const own = {
    kind: 'pathsOwned',
    at,
    id: 'k',
    worker: KIM,
    tree: '/project',
    reads: [],
  } as const;
  model.apply({ ...own, writes: ['docs/**'], isUnsaved });
  return model;
}

/** What is found of changes that are heard of at a time, each as `src/a at 15`. */
function found(
  shells: ShellCommands,
  changes: readonly string[],
  { model = board(), now = 1000, tree = '/project' } = {},
): readonly string[] {
  const read = changes.map((text) => {
    const [path = '', at] = text.split(' at ');
    return { path, from: instant(Number(at)), until: instant(Number(at) + 1) };
  });
  const events = shells.findings(model, { tree, changes: read, now: instant(now) });
  for (const event of events) expect(model.apply(event)).toBe('moved');
  return events.map(({ worker, holder, paths }) => `${worker} ${holder} ${paths.join(' ')}`);
}

function shell(from: number, until?: number, fields: Partial<ShellCommand> = {}): ShellCommands {
  const shells = new ShellCommands();
  shells.begun({ ...COMMAND, ...fields }, instant(from));
  if (until !== undefined) shells.ended({ ...COMMAND, ...fields }, instant(until));
  return shells;
}

test('files of a task and of a person that changed meanwhile are told, each once', () => {
  const shells = shell(10, 20);
  expect(found(shells, ['src/a at 15', 'src/b at 16', 'docs/x at 17', 'free at 17'])).toEqual([
    'agent/ann agent/rival src/a src/b',
    'agent/ann kim docs/x',
  ]);
  expect(found(shells, ['src/a at 18', 'src/c at 18'])).toEqual(['agent/ann agent/rival src/c']);
  expect(shells.take(COMMAND)).toEqual([
    { paths: ['src/a', 'src/b'], holder: RIVAL, task: 'r' },
    { paths: ['docs/x'], holder: KIM },
    { paths: ['src/c'], holder: RIVAL, task: 'r' },
  ]);
  expect(shells.take(COMMAND)).toEqual([]);
});

test.each([
  ['before the command', shell(10, 20), 'src/a at 5', false],
  ['after it', shell(10, 20), 'src/a at 25', false],
  ['while it runs', shell(10), 'src/a at 900', true],
  ['after a turn whose command never said that it ended', overAt(30), 'src/a at 40', false],
  ['in another tree', shell(10, 20, { tree: '/other' }), 'src/a at 15', false],
  ['by the one who holds the file', shell(10, 20, { worker: RIVAL }), 'src/a at 15', false],
  [
    'inside of the task that holds the file',
    shell(10, 20, { inside: { run: runId(1), task: taskId('r') } }),
    'src/a at 15',
    false,
  ],
  ['where the holder says that it writes the file', writtenBy(RIVAL), 'src/a at 15', false],
  ['where the agent itself says so', writtenBy(COMMAND.worker), 'src/a at 15', true],
])('a change %s', (_, shells, change, isFound) => {
  expect(found(shells, [change])).toHaveLength(isFound ? 1 : 0);
});

test('what an editor has open is left to the editor', () => {
  const model = board({ isUnsaved: true });
  expect(found(shell(10, 20), ['docs/x at 15'], { model })).toEqual([]);
});

test('of several commands at a time each counts until its own end', () => {
  const shells = shell(10);
  shells.begun({ ...COMMAND, call: '2' }, instant(12));
  shells.ended(COMMAND, instant(15));
  expect(found(shells, ['src/a at 14'])).toHaveLength(1);
  expect(found(shells, ['src/b at 18'])).toHaveLength(1);
  shells.ended({ ...COMMAND, call: '2' }, instant(20));
  expect(found(shells, ['src/c at 25'])).toEqual([]);
});

test('a command is told of no more files than can be read', () => {
  const many = Array.from({ length: 500 }, (_, index) => `src/${index} at 15`);
  const shells = shell(10, 20);
  const [told = ''] = found(shells, many);
  expect(told.split(' ').slice(2)).toHaveLength(100);
  expect(shells.isAtWork('/project', instant(5000))).toBe(true);
  expect(shells.isAtWork('/project', instant(20_000))).toBe(false);
});

function overAt(at: number): ShellCommands {
  const shells = shell(10);
  shells.over(COMMAND, instant(at));
  return shells;
}

function writtenBy(worker: ShellCommand['worker']): ShellCommands {
  const shells = shell(10, 20);
  shells.wrote('src/a', { worker, tree: '/project', at: instant(14) });
  return shells;
}
