import { isScalar, type Pair } from 'yaml';
import type { Doer } from '../domain/asks.ts';
import { readValue } from './read-value.ts';
import { TASK } from './schema/task.ts';
import type { WrittenTask } from './task-fields.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

/** Who does a task; nothing where its command says it, and where that cannot be told. */
export function readDoer(task: WrittenTask, problems: ProblemList): Doer | undefined {
  const [run, agent] = [task.pairs.get('run'), task.pairs.get('agent')];
  const role = task.pairs.get('role');
  if (run === undefined && agent === undefined) warnOfWay(task, problems);
  // What a later version would start is nobody else's meanwhile.
  if (role === undefined) {
    if (run !== undefined) return undefined;
    return agent === undefined
      ? { kind: 'anyone' }
      : { kind: 'started-agent', agent: textOf(agent) };
  }
  const word = readValue(role, TASK.shape.role, problems);
  if (word === 'human') refusePatience(task, problems);
  if (run !== undefined) {
    if (word === 'runner') return { kind: 'runner' };
    if (word !== undefined) refuseRole({ role, run }, problems);
    return undefined;
  }
  // Where the role is wrong, too: the agent is looked up all the same.
  if (agent !== undefined) return { kind: 'started-agent', agent: textOf(agent) };
  if (word === undefined) return undefined;
  if (word !== 'runner') return { kind: word === 'human' ? 'person' : 'agent' };
  const rule = 'A runner needs a command: "run: …".';
  problems.error('contradiction', rangeOf(role.value), rule);
  return undefined;
}

function refuseRole(
  { role, run }: { readonly role: Pair; readonly run: Pair },
  problems: ProblemList,
): void {
  const word = textOf(role);
  problems.add({
    code: 'contradiction',
    severity: 'error',
    message: `A command is for a runner, and "role" is ${word}: leave out one of the two.`,
    range: rangeOf(role.value),
    related: [{ range: rangeOf(run.key), message: 'This is the command.' }],
  });
}

function warnOfWay({ pairs }: WrittenTask, problems: ProblemList): void {
  const pair = pairs.get('in');
  if (pair === undefined) return;
  const message =
    '"in" says how a command is run, and this task has none: add "run: …", or leave out "in".';
  problems.warning('contradiction', rangeOf(pair.key), message);
}

function refusePatience({ pairs, fields }: WrittenTask, problems: ProblemList): void {
  const pair = pairs.get('stuck_after');
  if (pair === undefined) return;
  const message = '"stuck_after" is for runners and agents; people take the time they need.';
  problems.warning('contradiction', rangeOf(pair.key), message);
  fields.stuckAfterMs = undefined;
}

function textOf({ value }: Pair): string {
  return isScalar(value) ? scalarText(value) : '';
}
