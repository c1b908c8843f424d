import type { Command } from '../domain/task.ts';
import type { Launch } from '../engine/ports.ts';
import { commandText, faultOf } from './command-text.ts';
import { taskEnvironment } from './environment.ts';
import { orderLine, type Writer, writerLine } from './journal-text.ts';
import { quote } from '../domain/shell-words.ts';

/** What a slot is told of a command, beside what it is. */
export interface OrderPlace {
  readonly journal: string;
  readonly cwd: string;
  readonly logFile: string;
  /** By which the command shows that it is that command. */
  readonly proof?: string | undefined;
}

export interface Order {
  readonly text: string;
  /** So much of the journal it takes. */
  readonly bytes: number;
}

export type OrderResult =
  | ({ readonly kind: 'order' } & Order)
  /** What is wrong with it, as the system calls it. */
  | { readonly kind: 'refused'; readonly code: 'E2BIG' | 'NUL' };

/**
 * What a slot reads once, before its first order. The signal that ends a command goes to its whole
 * group and must not end the slot: a trap that does something is not inherited, an ignored signal is.
 */
export function slotBeginning(journal: string, writer: Writer): string {
  return `trap : TERM; m=$(umask); umask 077; unset INTERLOCK_SLOT OLDPWD
exec 9<>${quote(journal)} && printf '%s\\n' ${quote(writerLine(writer))} >&9
`;
}

/**
 * One order: a single compound command, so that half of one is never carried out.
 *
 * That it has the order is written before it looks whether its journal is still in its place: whoever
 * takes the place of this process moves the journal away before he reads it. There is room in it for
 * all that follows, also when the disk is full by then. `begun` is said by the process of the command,
 * which by then ends when it is asked to. At last the slot asks what the command has left behind in
 * its group to end; what left the group on purpose stays.
 *
 * Instead of a status: `fenced`, nothing may begin any more; `log`, the log could not be opened.
 * Nothing was run then. A slot that may not begin anything, or could not write what it had to, goes.
 */
export function orderFor(launch: Launch, command: Command, place: OrderPlace): OrderResult {
  const { term } = launch;
  const { logFile } = place;
  const environment = Object.entries(taskEnvironment(launch, place.proof));
  const fault = faultOf(command, environment);
  if (fault !== undefined) return { kind: 'refused', code: fault };
  const record = orderLine({ term, logFile });
  const line = commandText(command, environment);
  const text = `s=fenced r=exit; printf '%s\\n' ${quote(record)} >&9 && {
[ -e ${quote(place.journal)} ] && { s=log r=; {
(echo begun >&9; exec 9>&-; umask "$m" && cd -- ${quote(place.cwd)} && unset OLDPWD && ${line}) 2>&1
s=$?; } </dev/null >>${quote(logFile)}; }
echo "ended $s" >&9 || r=exit; }
kill -TERM 0; echo "${term} $s $r"; $r
`;
  if (text.includes('\0')) return { kind: 'refused', code: 'NUL' };
  return { kind: 'order', text, bytes: Buffer.byteLength(record) + LINES_BYTES };
}

/** Of all lines that follow an order. */
const LINES_BYTES = 32;
