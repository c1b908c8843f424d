import { expect, test } from 'vitest';
import { findTask, readTaskName } from '../../../server/cli/find-task.ts';
import { instant } from '../../../server/domain/time.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { definition, manifest, runId } from '../../support/runs.ts';

const at = instant(1);

/** Runs 1 and 2 of one plan, of which the first goes on, and run 3 of another. */
function board(): BoardModel {
  const model = new BoardModel({ foldCase: false });
  const submit = (number: number, plan: string, ...tasks: readonly string[]): void => {
    const asked = manifest(number, { plan, tasks: tasks.map((id) => definition(id)) });
    model.apply({ kind: 'runSubmitted', at, manifest: asked });
  };
  submit(1, 'one.yaml', 'a', 'b');
  submit(2, 'one.yaml', 'b');
  submit(3, 'two.yaml', 'a', 'c');
  model.apply({ kind: 'runInterrupted', at, run: runId(2) });
  return model;
}

function find(word: string, options: Readonly<Record<string, string>> = {}): string {
  const name = readTaskName(word, options);
  if (name.kind === 'refused') return name.why;
  const found = findTask(board(), '/project', name);
  return found.kind === 'refused' ? found.why : `${found.run.manifest.id}/${found.entry.id}`;
}

const check = (behaviour: string, found: string, expected: string): void =>
  test(behaviour, () => expect(found).toBe(expected));

check('a name that one plan has is enough', find('c'), 'run-000003/c');
check('of several runs the one that somebody carries on is meant', find('b'), 'run-000001/b');
check('--run means another', find('b', { run: 'run-000002' }), 'run-000002/b');
check('several plans have it', find('a'), 'ambiguous');
check('--plan says which', find('a', { plan: 'two.yaml' }), 'run-000003/a');
check('so does a word before the name', find('one.yaml:a'), 'run-000001/a');
check('no run has it', find('z'), 'not-running');
check('another folder has no part in it', find('c', { run: 'run-000009' }), 'not-running');
check('that is no name', find('not a name'), 'unknown-task');
check('that is no run', find('a', { run: '?' }), 'unknown-run');
