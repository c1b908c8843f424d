import type { RunId } from '../domain/ids.ts';
import type { Launch, RunnerNews } from '../engine/ports.ts';

export interface RunnerOptions {
  /** Where it is kept which commands began, and how they ended. Of one board, and of nobody else. */
  readonly commandsFolder: string;
  readonly logFile: (launch: Launch) => string;
  /** That holds all logs of a run, and nothing else. */
  readonly logFolder: (run: RunId) => string;
  readonly parentEnv: NodeJS.ProcessEnv;
  readonly news: RunnerNews;
  /** By which a command shows that it is the one of this launch; absent: its commands cannot. */
  readonly proofOf?: (launch: Launch) => string;
}
