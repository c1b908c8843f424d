import type { RunId, TaskId } from '../domain/ids.ts';
import type { OutsideTask, RunManifest } from '../domain/run.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import {
  isHeldByWorkers,
  type Place,
  placeNeeded,
  placeRequest,
  type RunRequest,
  type SubmitResult,
} from './run-request.ts';

/** Where a request goes, or why it goes nowhere. */
export type PlaceTogether =
  | Exclude<Place, { readonly kind: 'busy' }>
  | { readonly kind: 'refused'; readonly result: SubmitResult }
  /** Nobody asked for it by itself, and nobody needs it now. */
  | { readonly kind: 'unneeded' };

export interface Together {
  readonly requests: readonly RunRequest[];
  readonly board: BoardModel;
  /** Why a new run would not be accepted. */
  readonly refusalOf: (request: RunRequest) => SubmitResult | undefined;
}

/**
 * Where requests go of which tasks wait for each other's. One of which the tasks cannot be had is
 * refused, and whoever needs them with it. A run is carried on only where what it waits for is carried
 * on too, or is done.
 */
export function placeTogether(together: Together): ReadonlyMap<RunRequest, PlaceTogether> {
  const places = new Map<RunRequest, PlaceTogether>();
  for (const request of together.requests) places.set(request, firstPlace(request, together));
  // Each round refuses or begins anew at least one, so there are not many.
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [request, place] of places) {
      const next = nextPlace(request, place, { ...together, places });
      if (next === undefined) continue;
      places.set(request, next);
      isChanged = true;
    }
  }
  const needed = neededOf(together, places);
  for (const request of together.requests)
    if (!needed.has(request)) places.set(request, { kind: 'unneeded' });
  return places;
}

/** What a new run waits for in other runs, those that come with it and those that are there. */
export function outsideOf(
  request: RunRequest,
  { requests, board, places }: Pick<Together, 'requests' | 'board'> & { readonly places: Places },
): readonly OutsideTask[] {
  return (request.refersTo ?? []).flatMap(({ reference, plan, task }) => {
    const part = requests.find((other) => other.plan === plan && other.root === request.root);
    const place = part && places.get(part);
    const id = place && idOf(part, place);
    if (part !== undefined && id !== undefined) {
      const isThere =
        place?.kind === 'new'
          ? part.tasks.some((each) => each.id === task)
          : board.find(id, task) !== undefined;
      if (isThere) return [{ reference, run: id, task }];
    }
    const live = liveRunOf(board, { root: request.root, plan });
    const isThere = live?.find(task) !== undefined;
    return live !== undefined && isThere ? [{ reference, run: live.manifest.id, task }] : [];
  });
}

type Places = ReadonlyMap<RunRequest, PlaceTogether>;

function firstPlace(request: RunRequest, { requests, board, refusalOf }: Together): PlaceTogether {
  // A plan has one run at a time.
  const first = requests.find(({ root, plan }) => root === request.root && plan === request.plan);
  if (first !== request) return { kind: 'refused', result: { kind: 'busy' } };
  const place =
    request.isNeeded === true ? placeNeeded(request, board) : placeRequest(request, board);
  if (place.kind === 'busy') return { kind: 'refused', result: place };
  return accepted(request, place, refusalOf);
}

function accepted(
  request: RunRequest,
  place: Exclude<Place, { readonly kind: 'busy' }>,
  refusalOf: Together['refusalOf'],
): PlaceTogether {
  const result = place.kind === 'new' ? refusalOf(request) : undefined;
  return result === undefined ? place : { kind: 'refused', result };
}

/** Nothing where the place may stay as it is. */
function nextPlace(
  request: RunRequest,
  place: PlaceTogether,
  together: Together & { readonly places: Places },
): PlaceTogether | undefined {
  const { board, refusalOf } = together;
  if (place.kind === 'resume' && !goesOn(request, place.run, together)) {
    const left = leftRunsOf(board, request);
    const isHeld = left.some((id) => {
      const run = board.runs.get(id);
      return run !== undefined && isHeldByWorkers(board, run);
    });
    if (isHeld) return { kind: 'refused', result: { kind: 'busy' } };
    return accepted(request, { kind: 'new', supersedes: left }, refusalOf);
  }
  if (place.kind !== 'new') return undefined;
  for (const part of partsBefore(request, together)) {
    const before = together.places.get(part);
    if (before?.kind !== 'refused') continue;
    return {
      kind: 'refused',
      result: { kind: 'refused', message: needsText(part, before.result) },
    };
  }
  return undefined;
}

/** Whether what an interrupted run waits for is done, or goes on in the very run that it waits for. */
function goesOn(
  { root }: RunRequest,
  { id }: RunManifest,
  { requests, board, places }: Together & { readonly places: Places },
): boolean {
  const run = board.runs.get(id);
  for (const { task, standing, waiting } of run?.outside.values() ?? []) {
    const isNeeded = waiting.some(({ mustComplete }) => mustComplete);
    if (standing === 'completed' || (standing === 'ended' && !isNeeded)) continue;
    const other = board.runs.get(task.run);
    if (other === undefined) return false;
    const part = requests.find((each) => each.root === root && each.plan === other.manifest.plan);
    const place = part && places.get(part);
    const goes = part && place && idOf(part, place);
    // What merely has to be over may be left to whoever runs it.
    if (goes === undefined ? isNeeded : goes !== task.run) return false;
  }
  return true;
}

function idOf(request: RunRequest, place: PlaceTogether): RunId | undefined {
  switch (place.kind) {
    case 'new':
      return request.id;
    case 'join':
    case 'resume':
      return place.run.id;
    default:
      return undefined;
  }
}

/** The parts that have tasks which must complete before some of a request. */
function partsBefore(
  request: RunRequest,
  { requests }: Pick<Together, 'requests'>,
): readonly RunRequest[] {
  const needed = new Set<TaskId>(request.tasks.flatMap(({ dependsOn }) => dependsOn));
  const plans = new Set(
    request.refersTo?.flatMap(({ reference, plan }) => (needed.has(reference) ? plan : [])),
  );
  return requests.filter(({ root, plan }) => root === request.root && plans.has(plan));
}

/** What was asked for, and what has to be there for it. */
function neededOf(together: Together, places: Places): ReadonlySet<RunRequest> {
  const { requests, board } = together;
  const needed = new Set(requests.filter(({ isNeeded }) => isNeeded !== true));
  for (const request of needed) {
    const place = places.get(request);
    // What is refused needs nothing.
    if (place?.kind !== 'new' && place?.kind !== 'resume') continue;
    const waits = place?.kind === 'resume' ? board.runs.get(place.run.id) : undefined;
    for (const part of partsBefore(request, together)) {
      const isDone = waits !== undefined && !waitsForPlan(waits, part.plan, board);
      if (!isDone) needed.add(part);
    }
  }
  return needed;
}

function waitsForPlan(run: RunModel, plan: string, board: BoardModel): boolean {
  for (const { task, standing } of run.outside.values())
    if (standing !== 'completed' && board.runs.get(task.run)?.manifest.plan === plan) return true;
  return false;
}

function leftRunsOf(board: BoardModel, { root, plan }: RunRequest): readonly RunId[] {
  return [...board.runs.values()]
    .filter(({ manifest, isStopping }) => !isStopping && isOf(manifest, { root, plan }))
    .map(({ manifest }) => manifest.id);
}

function liveRunOf(
  board: BoardModel,
  which: { readonly root: string; readonly plan: string },
): RunModel | undefined {
  return [...board.runs.values()].findLast(
    ({ manifest, isInterrupted, isStopping }) =>
      !isInterrupted && !isStopping && isOf(manifest, which),
  );
}

function isOf(
  manifest: RunManifest,
  { root, plan }: { readonly root: string; readonly plan: string },
): boolean {
  return manifest.root === root && manifest.plan === plan;
}

function needsText({ plan }: RunRequest, result: SubmitResult): string {
  switch (result.kind) {
    case 'busy':
      return `It needs tasks of ${plan}, and other tasks of that plan are being run now. Wait for them, or stop them.`;
    case 'refused':
      return `It needs tasks of ${plan}, which cannot run. ${result.message}`;
    default:
      return `It needs tasks of ${plan}, which cannot run now.`;
  }
}
