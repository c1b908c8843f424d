import { checkProblems as check } from '../../support/check-problems.ts';

const VERSION = 'error wrong-type: This is read as version 1: "version: 1".';
const PARALLEL = 'error wrong-type: "parallel" is a number from 1 to 10000.';
const LATER = 'warning not-yet: This version does not act on';

check(
  'a slip of the keys is named',
  '«taks»: 1',
  'warning unknown-key: "taks" is not a key of a plan. Did you mean "tasks"?',
);
check(
  'a key far from any other has no hint',
  '«banana»: 1',
  'warning unknown-key: "banana" is not a key of a plan.',
);
check(
  '"__proto__" is an unknown key',
  '«__proto__»: 1',
  'warning unknown-key: "__proto__" is not a key of a plan.',
);
check('a list is no key', '«[a]»: 1', 'warning unknown-key: "" is not a key of a plan.');
check('keys of later versions are named', '«agents»: { a: {} }', `${LATER} "agents" yet.`);
check(
  'limits of later versions are named',
  'limits: { «queue»: 8 }',
  `${LATER} the limit "queue" yet.`,
);
check('a version of the future is refused', 'version: «2»', VERSION);
check('a version is a number', 'version: «"1"»', 'error wrong-type: "version" is a whole number.');
check('a name is a text', 'name: «[a]»', 'error wrong-type: "name" is a text.');
check('a name is something', 'name: «null»', 'error wrong-type: "name" is a text.');
check(
  '"limits" are keys',
  'limits: «4»',
  'error wrong-type: "limits" holds names and numbers: { parallel: 4 }.',
);
check('"parallel" is at least 1', 'limits: { parallel: «0» }', PARALLEL);
check('"parallel" is at most 10 000', 'limits: { parallel: «10001» }', PARALLEL);
check(
  '"parallel" is a whole number',
  'limits: { parallel: «1.5» }',
  'error wrong-type: "parallel" is a whole number.',
);
check(
  '"parallel" is no word',
  'limits: { parallel: «four» }',
  'error wrong-type: "parallel" is a whole number.',
);
check(
  '"tasks" are keys',
  '«tasks»: [a]',
  'error wrong-type: "tasks" holds one entry for each task: its id, then its keys.',
);
check('a key is there once', 'name: a\n«name»: b', 'error duplicate-key: "name" is here twice.');

const RULE =
  'error invalid-id: An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';

check('an id has no spaces', 'tasks:\n  «a b»: { run: x }', RULE);
check('"__proto__" is no id', 'tasks:\n  «__proto__»: { run: x }', RULE);
check('a list is no id', 'tasks:\n  ? «[a]»\n  : { run: x }', RULE);
check(
  'a task has keys',
  'tasks:\n  «a»: npm test',
  'error wrong-type: Task "a" has no keys. Give it a command: "run: …".',
);
check(
  'a task in braces has keys',
  'tasks: { «a» }',
  'error wrong-type: Task "a" has no keys. Give it a command: "run: …".',
);
check(
  'an id is there once',
  'tasks:\n  a: { run: x }\n  «a»: { run: y }',
  'error duplicate-id: Duplicate task id "a".',
);
check(
  'an id in quotes is the same id',
  'tasks:\n  1: { run: x }\n  «"1"»: { run: y }',
  'error duplicate-id: Duplicate task id "1".',
);
check(
  'ids differ in more than case',
  'tasks:\n  a: { run: x }\n  «A»: { run: x }',
  'error duplicate-id: Duplicate task id: "a" has it already, and ids differ in more than case.',
);
check(
  'an id is there once in all of "tasks"',
  'tasks: { a: { run: x } }\n«tasks»: { a: { run: y } }',
  'error duplicate-key: "tasks" is here twice.',
);
