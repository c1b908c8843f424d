import { quote } from '../domain/shell-words.ts';
import type { Launch } from '../engine/ports.ts';
import { commandText, faultOf } from '../runners/command-text.ts';
import { explainStart } from '../runners/command-end.ts';
import { taskEnvironment } from '../runners/environment.ts';
import type { SessionWish } from './session-start.ts';
import { type Refusal, sessionOf } from './task-session.ts';

/** What a machine is told of an attempt. */
export interface MachineOrder {
  /** As a shell says it. */
  readonly text: string;
  /** Where its log lies, on this machine; absent where it has one of its own on another. */
  readonly logFile?: string;
  readonly session: SessionWish;
}

export interface OrderPlace {
  readonly board: string;
  /** What the repository is called. */
  readonly repo: string;
  /** Absolute, or below the home folder with `~/`. */
  readonly folder: string;
  /** What the machine does not give to every command by itself. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile?: string;
}

/** In the environment of whatever an attempt starts: how it is found when it has left its group. */
export function markOf(board: string, term: number): string {
  return `${board}.${term}.`;
}

export function machineOrder(
  launch: Launch,
  { board, repo, folder, environment, logFile }: OrderPlace,
): MachineOrder | Refusal {
  const { definition, term } = launch;
  const { command, id } = definition;
  if (command === undefined) return { refusal: `"${id}" has no command.`, mayPass: false };
  const session = sessionOf(launch, { board, repo });
  if ('refusal' in session) return session;
  // Where the board lies is known on the machine that it lies on, and only there a command can speak to it.
  const { INTERLOCK_BOARD: _, ...variables } = taskEnvironment(launch);
  const all = { ...environment, ...variables, INTERLOCK_MARK: markOf(board, term) };
  const fault = faultOf(command, Object.entries(all));
  if (fault !== undefined || folder.includes('\0'))
    return { refusal: explainStart(id, fault ?? 'NUL'), mayPass: false };
  // Of an order that is not there as a whole nothing is carried out.
  const text = `il_folder=${folderWords(folder)}
il_command() {
${commandText(command, Object.entries(all))}
}
il_whole=${term}`;
  return logFile === undefined ? { text, session } : { text, session, logFile };
}

function folderWords(folder: string): string {
  return folder.startsWith('~/') ? `"$HOME"/${quote(folder.slice(2))}` : quote(folder);
}
