import type { ConnectionTiming } from '../../../server/remote/machine-connection.ts';

/** What a coordinator is to do; it reads this from a file. */
export interface Setup {
  readonly board: string;
  /** Of the coordinator: its ledger, and what the tasks print. */
  readonly folder: string;
  readonly sshConfig: string;
  /** Absent: that of every day. */
  readonly timing?: ConnectionTiming;
  /** How many run on one host at the same time. */
  readonly slots: number;
  readonly tasks: readonly FaultTask[];
}

export interface FaultTask {
  readonly id: string;
  readonly host: string;
  /** How much it prints, and how long it takes. */
  readonly lines: number;
  readonly pauseMs: number;
  /** It has the terminal of its session, and goes with it. */
  readonly isInSession?: boolean;
}

/**
 * Says on the host when it begins and ends, and whether another of the same task is still at it. What
 * is in the temporary folder does not outlive a start of the host, as no command does. One that is dead
 * and that nobody has taken note of yet is not at it.
 */
export function scriptOf({ id, lines, pauseMs }: FaultTask): string {
  const pause = pauseMs > 0 ? `sleep ${pauseMs / 1000}` : ':';
  return `say() { echo "$1 $INTERLOCK_TERM" >>"$HOME/effects-${id}"; }
at_work=\${TMPDIR:-/tmp}/at-work-${id}
say begin
other=$(cat $at_work 2>/dev/null) && grep -qs '^State:.[^XZ]' "/proc/$other/status" && say overlap
echo $$ >$at_work
i=0
while [ $i -lt ${lines} ]; do
  i=$((i + 1))
  echo "${id}: line $i of ${lines}"
  ${pause}
done
rm $at_work
say end`;
}

export function outputOf({ id, lines }: FaultTask): string {
  return Array.from({ length: lines }, (_, at) => `${id}: line ${at + 1} of ${lines}\n`).join('');
}
