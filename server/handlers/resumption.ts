import type { Connection } from 'vscode-languageserver';
import { BOARD_RESUMED, type BoardResumed } from '../../protocol/initialization.ts';
import { sumOf } from '../board/resumption.ts';
import type { Workspace } from './workspace.ts';

/** Tells what was found of tasks that ran before; each of them once. */
export function tellResumed(connection: Connection, { folders }: Workspace): void {
  const params: BoardResumed = sumOf(folders.map(({ board }) => board.takeResumed()));
  void connection.sendNotification(BOARD_RESUMED, params);
}
