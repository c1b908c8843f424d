/** Server to client, once for each run that ended: `RunFinished`. */
export const RUN_FINISHED = 'runs/finished';

export interface RunFinished {
  readonly folderUri: string;
  readonly plan: string;
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'superseded' | 'deadlocked';
  readonly completedCount: number;
  readonly failedIds: readonly string[];
  readonly skippedCount: number;
}
