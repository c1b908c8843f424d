import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayAsk, parseRequest } from '../../../server/keeper/messages.ts';
import { fuzzMessages } from '../../support/fuzz/message-fuzz.ts';
import { METHODS, REQUESTS } from '../../support/fuzz/random-requests.ts';

for (const [method, requests] of Object.entries(REQUESTS))
  test(`${method} arrives as it was sent, its fields in their order`, () => {
    fc.assert(
      fc.property<[unknown]>(requests, (params) => {
        const text = JSON.stringify(params);
        const read = parseRequest(method, JSON.parse(text))?.params;
        expect(read).toStrictEqual(params);
        expect(JSON.stringify(read)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

test('50 000 spoilt requests are refused with a place, or read without anything else', () => {
  const { accepted, refused } = fuzzMessages({ seed: 1, count: 50_000 });
  for (const totals of [accepted, refused])
    expect(METHODS.filter((method) => (totals.get(method) ?? 0) > 1000)).toStrictEqual(METHODS);
}, 60_000);

const WORKER = { id: 'claude-1', kind: 'agent', capabilities: [], isIdle: true, since: 0 };
const TASK = {
  id: 'build',
  title: 'Build',
  command: { kind: 'shell', script: 'make' },
  cwd: '',
  env: {},
  dependsOn: [],
  after: [],
  reads: [],
  writes: [],
};
const RUN = {
  id: 'run-0000001',
  root: '/projects/app',
  plan: '.interlock.yaml',
  planHash: 'x',
  selection: [],
  requestedBy: 'ann',
  policy: { parallel: 1, failFast: false },
  tasks: [TASK],
  isNew: false,
};
const SAYS = { run: 'run-0000001', task: 'build', term: 1 };

function check(name: string, request: { method: string; params: unknown }, message: string): void {
  test(`${name}: ${message}`, () => {
    expect(() => parseRequest(request.method, request.params)).toThrow(
      expect.objectContaining({ name: 'ShapeError', message }),
    );
  });
}

function checkTask(name: string, fields: object, message: string): void {
  const params = { ...RUN, tasks: [TASK, { ...TASK, ...fields }] };
  check(name, { method: 'board/submit', params }, `params.tasks[1]${message}`);
}

const fieldOfPrototype: unknown = JSON.parse('{"__proto__":"x"}');

checkTask('an id has letters', { id: 'no id' }, '.id: the id of a task is needed');
checkTask('a variable has text', { env: { A: 1 } }, '.env.A: a string is needed');
checkTask(
  'a variable is not ours',
  { env: { INTERLOCK_RUN: 'x' } },
  '.env.INTERLOCK_RUN: a name of letters, digits and "_" is needed that does not begin with INTERLOCK_',
);
checkTask(
  'no variable is a prototype',
  { env: fieldOfPrototype },
  '.env.__proto__: this name is not allowed',
);
checkTask(
  'a folder stays inside',
  { cwd: '../x' },
  '.cwd: a path in the workspace folder is needed',
);
checkTask('a folder is relative', { cwd: '/x' }, '.cwd: a path in the workspace folder is needed');
checkTask(
  'a pattern can be read',
  { writes: ['ok', '/x'] },
  '.writes[1]: a pattern of paths in the workspace folder is needed',
);
checkTask(
  'a command is of a kind',
  { command: { kind: 'spawn', file: 'x' } },
  '.command.kind: one of these is needed: shell, program',
);
checkTask(
  'a script is whole text',
  { command: { kind: 'shell', script: 'echo \ud800' } },
  '.command.script: this has characters that no text has',
);
checkTask(
  'nobody takes less than nothing',
  { asks: { resources: { cpu: -1 } } },
  `.asks.resources.cpu: a number from 0 to ${Number.MAX_VALUE} is needed`,
);
checkTask(
  'an amount is finite',
  { asks: { resources: JSON.parse('{"cpu":1e999}') } },
  '.asks.resources.cpu: a number is needed',
);
checkTask('a list is a list', { dependsOn: { length: 1 } }, '.dependsOn: a list is needed');
checkTask('null is no task', { asks: null }, '.asks: an object is needed');

check(
  'a run has a whole path',
  { method: 'board/submit', params: { ...RUN, root: 'work' } },
  'params.root: the whole path of a folder is needed',
);
check(
  'nobody submits a run past its checks',
  {
    method: 'board/control',
    params: { request: { kind: 'submit-run', manifest: RUN }, operation: 'x' },
  },
  'params.request.kind: one of these is needed: stop-run, pause-board, resume-board, rebuild, drain-worker, undrain-worker, dismiss-writes, cancel-task, retry-task, answer-task, pause-task, resume-task, take-task',
);
check(
  'nobody claims in the name of a runner',
  {
    method: 'board/claim',
    params: { worker: { ...WORKER, id: 'runner/local' }, operation: 'x' },
  },
  'params.worker.id: the id of a worker is needed, and not that of a runner',
);
check(
  'a term is whole',
  {
    method: 'board/say',
    params: {
      request: { ...SAYS, term: 1.5, by: { kind: 'command' }, says: { kind: 'asked' } },
      operation: 'x',
    },
  },
  'params.request.term: a whole number is needed',
);
check(
  'params are an object',
  { method: 'board/free', params: ['x'] },
  'params: an object is needed',
);
check(
  'nothing is no object',
  { method: 'board/leave', params: undefined },
  'params: an object is needed',
);
check(
  'what is needed is there',
  { method: 'board/greet', params: {} },
  'params.worker: this is missing',
);

test('fields that nobody knows are left out', () => {
  const params = { worker: { ...WORKER, isAdmin: true }, later: {} };
  const read = parseRequest('board/greet', params);
  expect(read).toStrictEqual({ method: 'board/greet', params: { worker: WORKER } });
});

test('there is no request of another name', () => {
  for (const method of ['toString', '__proto__', 'board/subscribe', 'board/', ''])
    expect(parseRequest(method, {})).toBeUndefined();
});

test('who may ask what', () => {
  const methods: readonly string[] = [...METHODS, 'board/subscribe'];
  const asked = (role: 'window' | 'worker' | 'observer'): readonly string[] =>
    methods.filter((method) => mayAsk(role, method)).map((method) => method.slice('board/'.length));
  expect(asked('window')).toStrictEqual(methods.map((method) => method.slice('board/'.length)));
  expect(asked('worker')).toStrictEqual([
    'claim',
    'say',
    'own',
    'hook',
    'free',
    'ask-release',
    'greet',
    'leave',
    'told',
    'subscribe',
  ]);
  expect(asked('observer')).toStrictEqual(['subscribe']);
});
