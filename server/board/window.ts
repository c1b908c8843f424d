import { parseWorkerId, type WorkerId } from '../domain/ids.ts';
import { windowOf } from '../scheduler/model/workers.ts';
import type { BoardWorld } from './ports.ts';

/** A window of an editor, and the person before it. */
export interface EditorWindow {
  readonly person: WorkerId;
  readonly worker: WorkerId;
  /** Like that of no other window. */
  readonly id: string;
}

/** `name` is what the person wants to be called on boards; else it is what the system calls them. */
export function editorWindow(world: BoardWorld, name?: string): EditorWindow {
  const id = world.hash(world.ids.operation()).slice(0, 8);
  const person = personNamed(name) ?? personNamed(world.userName) ?? personNamed('somebody');
  const worker = person && windowOf(person, id);
  if (person === undefined || worker === undefined) throw new RangeError('no name for a window');
  return { person, worker, id };
}

const NAME_LIMIT = 64;

/** As `--as NAME` of the command line, whatever characters are in it. */
function personNamed(name: string | undefined): WorkerId | undefined {
  const fitting = (name ?? '')
    .trim()
    .replaceAll(/[^\w.@-]+/g, '-')
    .slice(0, NAME_LIMIT);
  return fitting === '' ? undefined : parseWorkerId(`person/${fitting}`);
}
