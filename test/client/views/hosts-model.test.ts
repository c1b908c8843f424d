import { expect, test } from 'vitest';
import {
  childNodes,
  hostsOf,
  hostsRow,
  rootNodes,
  workerRow,
} from '../../../client/views/workers-model.ts';
import { WorkerList } from '../../../client/worker-list.ts';
import type { HostView, WorkerView } from '../../../protocol/workers.ts';

const NOW = 1_000_000;
const FOLDER = 'file:///p';

function host(
  name: string,
  view: Partial<HostView> = {},
  more: Partial<WorkerView> = {},
): WorkerView {
  return {
    folderUri: FOLDER,
    id: `runner/${name}`,
    kind: 'host',
    name,
    isYou: false,
    state: view.state === undefined || view.state === 'reachable' ? 'idle' : 'away',
    isDrained: false,
    trouble: '',
    uses: [{ what: 'places', used: 0, of: 8 }],
    remarks: [],
    capabilities: [],
    holds: [],
    host: { ssh: `kim@${name}`, state: 'reachable', why: '', ...view },
    ...more,
  };
}

function listOf(...changed: readonly WorkerView[]): WorkerList {
  const list = new WorkerList(() => NOW);
  const board = { folderUri: FOLDER, isDecidingHere: true, isPaused: false, load: 'normal' };
  list.apply({ now: NOW, changed, removed: [], boards: [board] });
  return list;
}

function check(sentence: string, view: WorkerView, expected: object): void {
  test(sentence, () => {
    expect(workerRow(view, NOW)).toMatchObject(expected);
  });
}

check('a host that nobody needs is not in use', host('a', { state: 'idle' }), {
  description: 'not in use',
  icon: 'vm-outline',
  color: undefined,
  spoken: 'host, a, not in use',
  context: 'worker host away undrained set',
});
check('a host that is there says what it could do', host('a'), {
  description: 'idle · 0 of 8 places',
  icon: 'vm-active',
  context: 'worker host idle undrained set',
});
check('a host at work is green', host('a', {}, { state: 'busy' }), {
  description: 'busy · 0 of 8 places',
  color: 'charts.green',
});
check(
  'a host that was there a moment ago says why',
  host('a', { state: 'reconnecting', why: 'it is silent' }),
  {
    description: 'reconnecting: it is silent',
    icon: 'sync~spin',
    color: 'list.warningForeground',
    spoken: 'host, a, reconnecting: it is silent',
  },
);
check('a host out of reach warns', host('a', { state: 'unreachable' }), {
  description: 'unreachable',
  icon: 'debug-disconnect',
  color: 'list.warningForeground',
});
check('a host that was given up is an error', host('a', { state: 'unhealthy', why: 'no route' }), {
  description: 'given up: no route',
  icon: 'error',
  color: 'list.errorForeground',
});
check('a host that is drained says both', host('a', { state: 'connecting' }, { isDrained: true }), {
  description: 'drained · connecting',
  icon: 'debug-pause',
});

test('a tooltip tells how to get there, since when, and what it lacks', () => {
  const view = host('a', {
    state: 'unhealthy',
    why: 'no *route*',
    since: NOW - 65_000,
    system: 'Linux x86_64',
    hasTmux: false,
  });
  expect(workerRow(view, NOW).tooltip).toMatchInlineSnapshot(`
    "**a** · host · away

    given up: no \\*route\\*

    By ssh: kim@a

    Linux x86\\_64

    It has no tmux: tasks run there without sessions, and nobody can look into them.

    Nobody has heard of it for a minute, so its tasks may go to others.

    Like that for 1 min 5 s

    0 of 8 places

    \`runner/a\`"
  `);
});

test('one row behind this machine stands for all hosts', () => {
  const machine: WorkerView = { ...host('local'), id: 'runner/local', kind: 'runner' };
  const { host: _, ...local } = machine;
  const agent: WorkerView = { ...local, id: 'agent/c', kind: 'agent', name: 'c' };
  const list = listOf(host('b'), agent, host('a'), local);
  const roots = rootNodes(list);
  expect(roots.map(({ kind, key }) => `${kind} ${key.split('\n').at(-1)}`)).toEqual([
    'worker runner/local',
    'hosts hosts',
    'worker agent/c',
  ]);
  const [, hosts] = roots;
  expect(hosts && childNodes(hosts, list).map(({ key }) => key.split('\n').at(-1))).toEqual([
    'runner/a',
    'runner/b',
  ]);
  expect(rootNodes(listOf(local, agent))).toHaveLength(2);
});

test('the row of all hosts counts those that are needed, and warns where one is out of reach', () => {
  const some = listOf(host('a'), host('b', { state: 'unreachable' }), host('c', { state: 'idle' }));
  expect(hostsRow(hostsOf(some, { folderUri: FOLDER }))).toMatchObject({
    label: 'Hosts',
    description: '1 of 2 reachable, 1 not in use',
    color: 'list.warningForeground',
    spoken: 'Hosts, 1 of 2 reachable, 1 not in use',
    context: 'hosts',
  });
  const idle = listOf(host('a', { state: 'idle' }), host('b', { state: 'idle' }));
  expect(hostsRow(hostsOf(idle, { folderUri: FOLDER }))).toMatchObject({
    description: '2 not in use',
    color: undefined,
  });
});
