import { type Connection, ResponseError, ErrorCodes } from 'vscode-languageserver';
import { type DoctorParams, type DoctorReport, EXAMINE } from '../../protocol/doctor.ts';
import type { BoardWorld } from '../board/ports.ts';
import { examine } from '../doctor/examine.ts';
import type { Workspace } from './workspace.ts';

/** Works also where a board cannot be opened: then it is needed most. */
export function registerDoctor(
  connection: Connection,
  workspace: Workspace,
  world: BoardWorld,
): void {
  connection.onRequest(EXAMINE, async ({ folderUri }: DoctorParams): Promise<DoctorReport> => {
    const folder = workspace.folders.find(
      ({ uri }) => folderUri === undefined || uri === folderUri,
    );
    if (folder === undefined && folderUri !== undefined)
      throw new ResponseError(ErrorCodes.InvalidParams, 'This folder is not open.');
    const root = folder?.board.root;
    const checks = await examine(world.facts(root), world.alarm);
    return { ...(root !== undefined && { folder: root }), checks };
  });
}
