import type { TaskStatus } from '../board/task-status.ts';
import type { Screen } from './terminal.ts';

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim';

const CODES: Readonly<Record<Colour, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  dim: 2,
};

const COLOURS: Readonly<Partial<Record<TaskStatus['kind'], Colour>>> = {
  completed: 'green',
  running: 'cyan',
  claimed: 'cyan',
  failed: 'red',
  blocked: 'red',
  attention: 'yellow',
  cancelled: 'dim',
  skipped: 'dim',
  idle: 'dim',
};

/** A word for a state, in its colour where somebody sees it. */
export function paintState(
  screen: Screen | undefined,
  kind: TaskStatus['kind'],
  text: string,
): string {
  const colour = COLOURS[kind];
  return colour === undefined ? text : paint(screen, colour, text);
}

export function paint(screen: Screen | undefined, colour: Colour, text: string): string {
  return screen?.hasColours === true ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text;
}
