import { WRAPPER } from './host-script.ts';
import { ShellLost } from './host-shell.ts';
import type { Machine } from './machine.ts';
import type { MachineOrder } from './machine-order.ts';
import { startSession, textOf } from './session-start.ts';
import type { Refusal } from './task-session.ts';

/** What runs a command that needs no terminal. */
export interface SlotShell {
  readonly id: number;
  readonly machine: Machine;
}

/**
 * Shells on a machine that run one command after the other, each in a session of its own, for as long
 * as we are connected: a new one for each command would take longer than many a command.
 */
export class SlotShells {
  readonly #idle: SlotShell[] = [];

  /** It has come to the end of its command, and nothing is left of that. */
  free(slot: SlotShell): void {
    this.#idle.push(slot);
  }

  /** A new one has the number of its first command. */
  take(term: number, machine: Machine): SlotShell {
    for (;;) {
      const { id = term, machine: its = machine } = this.#idle.pop() ?? {};
      // Those of an earlier connection end by themselves.
      if (its === machine) return { id, machine };
    }
  }
}

/** What a machine says of a command that has begun: somebody has ordered it before. */
const BEGUN = 3;
/** And of a slot that somebody has ended. */
const SLOT_GONE = 5;

const UNWRITTEN = 'Its order could not be written there. Is the disk full?';

/** Has a command carried out there, by a slot or in a session of its own; as often as anybody likes. */
export async function giveOrder(
  term: number,
  order: MachineOrder,
  { machine, slots }: { readonly machine: Machine; readonly slots: SlotShells },
): Promise<{ readonly slot?: SlotShell } | Refusal> {
  const { control, shell } = machine;
  const { text, logFile = '', session } = order;
  const isInSlot = control === undefined || !session.isInTerminal;
  const slot = isInSlot ? slots.take(term, machine) : undefined;
  const { status } = await shell.ask('il_order', term, text, logFile, slot?.id ?? '');
  if (status === BEGUN) return {};
  if (status === SLOT_GONE) return await giveOrder(term, order, { machine, slots });
  if (status !== 0) return { refusal: UNWRITTEN, mayPass: true };
  if (slot !== undefined) {
    if (slot.id === term) await openSlot(slot);
    return { slot };
  }
  const started = control && (await startSession(control, { ...session, term }));
  return started?.kind === 'refused' ? { refusal: started.message, mayPass: true } : {};
}

async function openSlot({ id, machine: { control, facts, shell } }: SlotShell): Promise<void> {
  const words = ['slot', `${facts.shell}.${id}`, String(id)];
  if (control === undefined) {
    await shell.ask('il_alone', ...words);
    return;
  }
  const session = ['new-session', '-d', '-s', `interlock-slot-${id}`, '-x', '200', '-y', '50'];
  const [reply] = await control.ask([...session, '/bin/sh', `./${WRAPPER}`, ...words]);
  if (reply?.succeeded !== true) throw new ShellLost(`tmux says: ${textOf(reply)}`);
}
