import { explore } from './explore.ts';
import { replayBundle } from './replay-bundle.ts';
import { simulate } from './simulate.ts';

// One of the processes that scripts/sim.mjs starts. What it finds is one line of JSON.
const [first = '', last, step, seconds, trace] = process.argv.slice(2);

if (first === '--replay') {
  const { isSame, says } = replayBundle(last ?? '');
  console.log(says);
  process.exitCode = isSame ? 0 : 1;
} else if (trace === '--trace') {
  const { failure, hash } = await simulate(Number(first), { print: console.log });
  console.log(failure?.message ?? `Nothing went wrong; the trace is ${hash}.`);
  process.exitCode = failure === undefined ? 0 : 1;
} else {
  const begunAt = performance.now();
  const report = await explore(
    { first: Number(first), last: Number(last), step: Number(step) },
    {
      elapsedMs: () => performance.now() - begunAt,
      limitMs: Number(seconds) > 0 ? Number(seconds) * 1000 : Infinity,
    },
  );
  console.log(JSON.stringify(report));
  process.exitCode = report.failures.length === 0 ? 0 : 1;
}
