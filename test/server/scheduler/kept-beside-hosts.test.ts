import { checkLast } from '../../support/board-story.ts';

/** One run may do less here than the other, whose `small` could take each place that is given back. */
function narrow(host: string, task: string): string {
  return `host local: can gpu
host h1: ${host}
run wide-run: parallel 2
h: running, without lease
gate: running, without lease
busy: on h1, running, without lease
small: needs gate
run narrow-run: parallel 1
a: ${task}`;
}

const LATER = '+130s; gate completes; rest';

for (const hosts of ['local', 'local h1', 'h1 local']) {
  const cases: readonly (readonly [name: string, text: string, script: string])[] = [
    ['is full', narrow('limits parallel:1', `on ${hosts}`), LATER],
    ['cannot be reached', narrow('limits parallel:1, unreachable', `on ${hosts}`), LATER],
    ['has not what it needs', narrow('limits parallel:9', `on ${hosts}, capable gpu`), LATER],
    ['is drained', narrow('limits parallel:9', `on ${hosts}`), `drain runner/h1; ${LATER}`],
  ];
  for (const [name, text, script] of cases)
    checkLast(
      `who has waited too long for a place here keeps it, though h1 ${name}: on ${hosts}`,
      [text, hosts === 'local' ? LATER : script],
      '',
    );
}

for (const hosts of ['local h1', 'h1 local'])
  checkLast(
    `a start on a host is kept for who needs more, though this machine is full: on ${hosts}`,
    [
      `host local: limits cpu:2
host h1: limits cpu:2
run only-run: parallel 1
here: takes cpu:1, running, expects 500s
there: on h1, takes cpu:1, running, expects 10s
big: on ${hosts}, takes cpu:2, priority high
small: on h1, takes cpu:1, expects 500s`,
      'decide',
    ],
    '',
  );
