/** By which names plans are found; nothing of what is in them. */

const PLAN_NAME = /^(?:interlock|.+\.interlock)\.ya?ml$/;

/** Whether a file of this name is a plan of Interlock's own kind. */
export function isPlanFileName(fileName: string): boolean {
  return PLAN_NAME.test(fileName);
}

/** The file that a board is named after. */
export const BOARD_FILE_NAME = 'config.yml';

/** Where kanban-md puts a board. */
export const BOARD_FOLDER_NAME = 'kanban';
