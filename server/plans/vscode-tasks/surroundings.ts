/** Where a tasks.json lies in a workspace folder. */
export const TASKS_JSON = '.vscode/tasks.json';

/** The section of a tasks.json whose settings count on a system. */
export type EditorPlatform = 'windows' | 'linux' | 'osx';

/** What variables of an editor stand for, as far as that can be told without one. */
export interface Surroundings {
  readonly platform: EditorPlatform;
  /** As the system writes paths, with no separator at its end. */
  readonly workspaceFolder: string;
  readonly userHome: string;
  /** What every task inherits; of other variables nobody asks. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The variables of the environment that a task finds as whoever started Interlock has them. */
export const INHERITED_NAMES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
];
