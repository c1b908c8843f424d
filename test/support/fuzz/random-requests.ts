import * as fc from 'fast-check';
import {
  parseRunId,
  parseTaskId,
  parseTaskReference,
  parseWorkerId,
} from '../../../server/domain/ids.ts';
import { PRIORITIES } from '../../../server/domain/priority.ts';
import { instant } from '../../../server/domain/time.ts';
import type { BoardRequest } from '../../../server/keeper/messages.ts';

/** Requests as a client of ours makes them, of every method and with everything they may have. */

const DAY_MS = 24 * 60 * 60 * 1000;

function known<T>(
  parse: (text: string) => T | undefined,
  ...texts: readonly string[]
): fc.Arbitrary<T> {
  return fc.constantFrom(...texts.flatMap((text) => parse(text) ?? []));
}

/** Text as the board takes it: no half characters, no NUL. */
const text = fc.oneof(
  fc.constantFrom('', '~', '__proto__', 'Infinity', 'a "b" \\c', 'é\u{1f600}', 'kind'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((said) => !said.includes('\0')),
);
const run = known(parseRunId, 'run-0000001', '0123456789abcdef');
const task = known(parseTaskId, 'a', 'build', 'x.y-z_1');
const reference = known(parseTaskReference, 'a', 'other/build', 'a b/c.d/x.y-z_1');
const workerId = known(parseWorkerId, 'claude-1', 'person/ann', 'agent@host:1');
const durationMs = fc.oneof(fc.constantFrom(0, 1000, 365 * DAY_MS), fc.nat(DAY_MS));
const amount = fc.oneof(fc.constantFrom(0, 0.5, 1e300, Number.MAX_SAFE_INTEGER), fc.nat(1000));
const at = fc.oneof(fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER)).map(instant);
const texts = fc.array(text, { maxLength: 3 });
const pattern = fc.constantFrom('src/**', '!src/x', 'a/*.ts', 'dist', 'a/{b,c}/d?', '[a-z]');
const patterns = fc.array(pattern, { maxLength: 3 });
const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory', 'ports', '7', 'a b'), amount, {
  noNullPrototype: true,
});

/** Some of the fields, and each that is there has a value. */
function some<T>(fields: { readonly [Name in keyof T]: fc.Arbitrary<T[Name]> }) {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true });
}

function all<T>(fields: { readonly [Name in keyof T]: fc.Arbitrary<T[Name]> }) {
  return fc.record(fields, { noNullPrototype: true });
}

function kind<const Kind extends string>(...kinds: readonly Kind[]) {
  return all({ kind: fc.constantFrom(...kinds) });
}

const command = fc.oneof(
  all({ kind: fc.constant('shell' as const), script: text }),
  all({ kind: fc.constant('program' as const), file: text, args: texts }),
);

const asks = some({
  priority: fc.constantFrom(...PRIORITIES),
  doer: fc.oneof(
    kind('runner', 'agent', 'person', 'anyone'),
    all({ kind: fc.constant('started-agent' as const), agent: text }),
  ),
  needs: texts,
  hosts: texts,
  resources: amounts,
  retry: all({
    attempts: fc.integer({ min: 1, max: 1000 }),
    backoffMs: durationMs,
    factor: fc.constantFrom(1, 1.5, 100),
    maxMs: durationMs,
    on: fc.array(fc.nat(255), { maxLength: 3 }),
  }),
  timeout: some({ softMs: durationMs, hardMs: durationMs }),
  leaseMs: durationMs,
  stuckAfterMs: durationMs,
  isIsolated: fc.boolean(),
  isInSession: fc.boolean(),
  expectedMs: amount,
});

const fields = {
  id: task,
  title: text,
  command: fc.option(command, { nil: undefined }),
  cwd: fc.constantFrom('', 'packages/a', './x'),
  env: fc.dictionary(fc.constantFrom('A', 'PATH', '_x1'), text, { noNullPrototype: true }),
  dependsOn: fc.array(reference, { maxLength: 2 }),
  after: fc.array(reference, { maxLength: 2 }),
  reads: patterns,
  writes: patterns,
};
const definition = fc.oneof(all(fields), all({ ...fields, asks }));

const rule = fc.constantFrom('wait', 'warn', 'ignore');
const hazards = some({
  writeWrite: rule,
  readWrite: rule,
  human: fc.constantFrom('wait', 'warn', 'ignore', 'ask'),
  worktrees: rule,
});
const policy = fc.record(
  { parallel: fc.integer({ min: 1, max: 64 }), failFast: fc.boolean(), limits: amounts, hazards },
  { requiredKeys: ['parallel', 'failFast'], noNullPrototype: true },
);

const worker = fc.record(
  {
    id: workerId,
    kind: fc.constantFrom('agent', 'person'),
    capabilities: texts,
    root: text,
    isIdle: fc.boolean(),
    since: at,
  },
  { requiredKeys: ['id', 'kind', 'capabilities', 'isIdle', 'since'], noNullPrototype: true },
);

const failure = fc.oneof(
  fc.record(
    { kind: fc.constant('exit' as const), code: fc.integer(), message: text },
    { requiredKeys: ['kind', 'code'], noNullPrototype: true },
  ),
  all({ kind: fc.constant('signal' as const), signal: text }),
  all({ kind: fc.constant('timeout' as const), limitMs: durationMs }),
  all({ kind: fc.constant('not-started' as const), message: text }),
);
const process = all({ bootId: text, pid: fc.integer({ min: 1, max: 99_999 }), startTime: text });

const by = fc.oneof(
  kind('command'),
  all({ kind: fc.constant('worker' as const), worker: workerId }),
);

const says = fc.oneof(
  kind('started', 'renew', 'completed', 'rate-limited', 'asked', 'stuck', 'progressed'),
  all({ kind: fc.constant('started' as const), process }),
  all({ kind: fc.constant('renew' as const), leaseMs: durationMs }),
  all({ kind: fc.constant('failed' as const), failure }),
  all({
    kind: fc.constant('lost' as const),
    cause: fc.constantFrom('lease-expired', 'host-lost', 'not-started', 'killed'),
  }),
  all({
    kind: fc.constant('released' as const),
    reason: fc.constantFrom('released', 'shutdown', 'lost'),
  }),
  all({ kind: fc.constant('rate-limited' as const), retryAfterMs: durationMs }),
);

const control = fc.oneof(
  kind('pause-board', 'resume-board'),
  kind('rebuild'),
  all({ kind: fc.constant('stop-run' as const), run }),
  all({
    kind: fc.constant('dismiss-writes' as const),
    tree: text,
    paths: texts,
    of: all({ run, task }),
    isForAll: fc.boolean(),
  }),
  all({
    kind: fc.constantFrom('cancel-task', 'retry-task', 'answer-task', 'pause-task', 'resume-task'),
    run,
    task,
  }),
  all({ kind: fc.constant('take-task' as const), run, task, term: fc.nat() }),
);

const operation = text;

const plan = fc.constantFrom('.interlock.yaml', 'plans/a b.yaml');

const submission = all({
  id: run,
  root: fc.constantFrom('/projects/app', 'C:\\app', '\\\\host\\app'),
  folder: fc.constantFrom('app', 'projects/app', 'a b/[c]'),
  plan,
  planHash: text,
  selection: fc.array(task, { maxLength: 2 }),
  requestedBy: text,
  policy,
  tasks: fc.array(definition, { maxLength: 3 }),
  isNew: fc.boolean(),
  refersTo: fc.array(all({ reference, plan, task }), { maxLength: 2 }),
  isNeeded: fc.boolean(),
});

/** By the method, so that each gets its share. */
export const REQUESTS = {
  'board/submit': submission,
  'board/submit-together': all({ requests: fc.array(submission, { maxLength: 3 }) }),
  'board/control': all({ request: control, operation }),
  'board/claim': fc.record(
    { worker, operation, task: all({ run, task }), leaseMs: durationMs },
    { requiredKeys: ['worker', 'operation'], noNullPrototype: true },
  ),
  'board/say': all({ request: all({ run, task, term: fc.nat(), by, says }), operation }),
  'board/own': all({
    request: fc.record(
      {
        id: text,
        worker: workerId,
        tree: text,
        reads: texts,
        writes: texts,
        isUnsaved: fc.boolean(),
        lets: fc.array(all({ run, task, revision: fc.nat(), attempt: fc.nat() }), { maxLength: 3 }),
        until: at,
      },
      {
        requiredKeys: ['id', 'worker', 'tree', 'reads', 'writes', 'isUnsaved'],
        noNullPrototype: true,
      },
    ),
    operation,
  }),
  'board/hook': fc.record(
    {
      what: fc.constantFrom('writes' as const, 'over' as const),
      caller: fc.record(
        { as: workerId, name: workerId, marks: texts, session: text },
        { requiredKeys: ['marks', 'session'], noNullPrototype: true },
      ),
      tree: text,
      paths: texts,
      forMs: fc.integer({ min: 1, max: DAY_MS }),
      inside: all({ run, task }),
    },
    { requiredKeys: ['what', 'caller', 'tree', 'paths', 'forMs'], noNullPrototype: true },
  ),
  'board/free': all({ id: text }),
  'board/ask-release': all({
    request: all({
      owner: fc.oneof(
        all({ kind: fc.constant('task' as const), run, task }),
        all({ kind: fc.constant('leftover' as const), run, task, term: fc.nat() }),
        all({ kind: fc.constant('person' as const), id: text, isUnsaved: fc.boolean() }),
      ),
      worker: workerId,
      path: text,
    }),
    operation,
  }),
  'board/greet': all({ worker }),
  'board/leave': all({ worker: workerId }),
  'board/told': all({ worker: workerId, terms: fc.array(fc.nat(), { maxLength: 3 }) }),
} satisfies { readonly [M in BoardRequest['method']]: fc.Arbitrary<RequestOf<M>['params']> };

type RequestOf<M> = Extract<BoardRequest, { readonly method: M }>;

export const METHODS = Object.keys(REQUESTS);
