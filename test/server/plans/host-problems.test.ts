import { expect, test } from 'vitest';
import { hostProblems } from '../../../server/plans/host-problems.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';

/** What is said of the hosts of a plan, each with the text that it is about. */
function check(name: string, [text, known]: readonly [string, string[]], expected: string[]): void {
  test(name, () => {
    const said = hostProblems(parseInterlockYaml(text), {
      hosts: known.map((each) => ({ name: each })),
      gone: ['ashes'],
    }).map(
      ({ severity, message, range }) =>
        `${severity} ${text.slice(range.start, range.end)}: ${message}`,
    );
    expect(said).toEqual(expected);
  });
}

const TASK = 'tasks:\n  a: { run: x, on: [local, build-1] }\n';

check('a host of the user is right', [TASK, ['build-1']], []);
check(
  'another one is not known',
  [TASK, ['build-2', 'big']],
  [
    'warning build-1: "build-1" is not among your hosts (build-2, big): name it in the setting interlock.hosts. Did you mean "build-2"?',
  ],
);
check(
  'one that never comes back is said to be gone, and not to be named again',
  ['tasks:\n  a: { run: x, on: ashes }\n', ['build-1']],
  [
    'warning ashes: "ashes" is gone for ever, as your settings say: choose another host, or take "gone" out where it is named.',
  ],
);
check(
  'nor is any where there are none',
  [TASK, []],
  [
    'warning build-1: "build-1" is not among your hosts (you have none): name it in the setting interlock.hosts.',
  ],
);
check(
  'one of the defaults is said once',
  ['defaults: { on: far }\ntasks:\n  a: { run: x }\n  b: { run: x }\n', ['near']],
  ['warning far: "far" is not among your hosts (near): name it in the setting interlock.hosts.'],
);
check(
  'what is taken for this machine is said once',
  ['tasks:\n  a: { run: x, on: locl }\n', []],
  [],
);
check(
  'long lists are cut',
  [TASK, Array.from({ length: 12 }, (_, number) => `h${number}`)],
  [
    'warning build-1: "build-1" is not among your hosts (h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, …): name it in the setting interlock.hosts.',
  ],
);
