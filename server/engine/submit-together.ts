import { answerControl, type ControlAnswer, refusedNumber } from '../scheduler/requests/control.ts';
import type { BoardWriter } from './board-writer.ts';
import { outsideOf, placeTogether, type PlaceTogether, type Together } from './place-together.ts';
import {
  manifestOf,
  type PartResult,
  resumption,
  type RunRequest,
  type SubmitResult,
} from './run-request.ts';

const OVER: SubmitResult = { kind: 'refused', message: 'Its run has ended.' };

/** Begins runs, joins those that are there, and carries on those that were left; within one turn. */
export function submitTogether(
  writer: BoardWriter,
  requests: readonly RunRequest[],
): readonly PartResult[] {
  const { board } = writer;
  if (board.permission === 'untrusted') return requests.map(() => ({ kind: 'untrusted' }));
  // They may have come to their end before whoever asked for them heard that they were accepted.
  const isKnown = (request: RunRequest): boolean =>
    board.runs.has(request.id) || writer.resolve(operationOf(request)).kind === 'applied';
  const fresh = requests.filter((request) => !isKnown(request));
  const isFirstTime = fresh.length === requests.length;
  const together: Together = {
    requests: fresh,
    board,
    refusalOf: (request) => (isFirstTime ? refusalOf(writer, fresh, request) : OVER),
  };
  const places = placeTogether(together);
  // What they wait for is looked up before anything is written.
  const written = [...places].map(([request, place]) => {
    const outside = place.kind === 'new' ? outsideOf(request, { ...together, places }) : [];
    return { request, place, outside };
  });
  const results = new Map(written.map((part) => [part.request, write(writer, part)]));
  return requests.map((request) => results.get(request) ?? { kind: 'started', run: request.id });
}

function operationOf({ id }: RunRequest): string {
  return `submit ${id}`;
}

interface Part {
  readonly request: RunRequest;
  readonly place: PlaceTogether;
  readonly outside: ReturnType<typeof outsideOf>;
}

function write(writer: BoardWriter, { request, place, outside }: Part): PartResult {
  const at = writer.now();
  switch (place.kind) {
    case 'unneeded':
      return place;
    case 'refused':
      return place.result;
    case 'join':
      return { kind: 'joined', run: place.run.id };
    case 'resume':
      writer.record([resumption(place.run, request, at)]);
      return { kind: 'joined', run: place.run.id };
    case 'new': {
      for (const run of place.supersedes) writer.record([{ kind: 'runStopAsked', at, run }]);
      const manifest = manifestOf(request, at, outside);
      const submitted = writer.record(
        [{ kind: 'runSubmitted', at, manifest }],
        operationOf(request),
      );
      return submitted.kind === 'refused'
        ? { kind: 'refused', message: `There has been a run ${request.id} already.` }
        : { kind: 'started', run: request.id };
    }
    default:
      return place satisfies never;
  }
}

function refusalOf(
  writer: BoardWriter,
  together: readonly RunRequest[],
  request: RunRequest,
): SubmitResult | undefined {
  const { board } = writer;
  const at = writer.now();
  const manifest = manifestOf(request, at);
  const answer = answerControl(board, { kind: 'submit-run', manifest }, at);
  const tasks = together.reduce((sum, part) => sum + part.tasks.length, 0);
  const why = answer.kind === 'refused' ? answer.why : refusedNumber(board, tasks);
  return why && resultOf(why);
}

type ControlRefusal = Extract<ControlAnswer, { kind: 'refused' }>['why'];

function resultOf(why: ControlRefusal): SubmitResult {
  switch (why.kind) {
    case 'queue-full':
      return why;
    case 'too-many-tasks':
      return { kind: 'refused', message: `A board has at most ${why.limit} unfinished tasks.` };
    case 'duplicate-task':
      return { kind: 'refused', message: `There are two tasks "${why.task}".` };
    default:
      return { kind: 'refused', message: 'The run was not accepted.' };
  }
}
