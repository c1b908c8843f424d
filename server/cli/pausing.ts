import type { BoardModel } from '../scheduler/model/board-model.ts';
import { listOf } from '../scheduler/predicate/explain.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import { EXIT } from './exit-code.ts';
import type { Refused } from './say.ts';

/** What is so already is not done again, and said. */
export function pausedAlready(board: BoardModel, request: ControlRequest): Refused | undefined {
  const message = sentenceOf(board, request);
  if (message === undefined) return undefined;
  return { kind: 'refused', why: 'nothing-to-do', message, code: EXIT.refused };
}

function sentenceOf(board: BoardModel, request: ControlRequest): string | undefined {
  switch (request.kind) {
    case 'pause-board':
      return board.isPaused ? `Everything is paused already. ${undoneBy('')}` : undefined;
    case 'resume-board':
      return board.isPaused ? undefined : `Nothing is paused${exceptTasks(board)}.`;
    case 'pause-task':
      return board.find(request.run, request.task)?.isPaused === true
        ? `"${request.task}" is paused already. ${undoneBy(request.task)}`
        : undefined;
    case 'resume-task': {
      if (board.find(request.run, request.task)?.isPaused !== false) return undefined;
      const all = board.isPaused ? ', but everything is: "interlock resume" lets it go on' : '';
      return `"${request.task}" is not paused${all}.`;
    }
    case 'drain-worker':
      return board.workers.isDrained(request.worker)
        ? `${request.worker} is given nothing new already.`
        : undefined;
    case 'undrain-worker':
      return board.workers.isDrained(request.worker)
        ? undefined
        : `${request.worker} is given tasks already.`;
    default:
      return undefined;
  }
}

export function undoneBy(task: string): string {
  return `"interlock resume${task === '' ? '' : ` ${task}`}" undoes it.`;
}

function exceptTasks(board: BoardModel): string {
  const tasks = [...board.runs.values()].flatMap(({ paused }) => [...paused].map(({ id }) => id));
  return tasks.length === 0 ? '' : ` but ${listOf(tasks)}: "interlock resume ${tasks[0]}"`;
}
