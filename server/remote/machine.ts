import { quote } from '../domain/shell-words.ts';
import { afterWord, sayWord } from './after-word.ts';
import type { Channel, Link } from './channel.ts';
import { HOST_SCRIPT } from './host-script.ts';
import { HostShell, lossOf, ShellLost } from './host-shell.ts';
import { readFacts, type HostFacts } from './host-facts.ts';
import { EndsReader, type ToldEnd } from './ends-reader.ts';
import { TmuxControl } from './tmux-control.ts';

export interface MachineListener {
  /** A command has ended; somebody should look where it is not said how. */
  readonly onEnd: (term: number, end: ToldEnd | undefined) => void;
  /** Some session is not there any more, or new. */
  readonly onStirred: () => void;
  /** Told once. Nothing more comes from it. */
  readonly onLost: (error: ShellLost) => void;
}

/** A machine that we are connected to. */
export interface Machine {
  readonly facts: HostFacts;
  readonly shell: HostShell;
  /** Absent: there is no tmux. */
  readonly control: TmuxControl | undefined;
  close(): void;
}

/** Throws `ShellLost` or `LinkError` when it does not come about. */
export async function reach(
  link: Link,
  { board, hello }: { readonly board: string; readonly hello: string },
  listener: MachineListener,
): Promise<Machine> {
  const parts: { close(): void }[] = [];
  let isLost = false;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const lose = (error: ShellLost): void => {
    if (isLost) return;
    isLost = true;
    lost.reject(error);
    for (const part of parts) part.close();
    listener.onLost(error);
  };
  const opened = async (): Promise<Channel> => {
    const channel = await link.open();
    parts.push(channel);
    return channel;
  };
  try {
    const shell = await HostShell.greet(await opened(), { hello, onLost: lose });
    const { status, lines } = await shell.ask('il_open', board);
    const facts = readFacts(status, lines);
    const become = async (command: string): Promise<Channel> => {
      const channel = await opened();
      channel.write(`${HOST_SCRIPT}il_board=${quote(board)} il_home=${quote(facts.folder)}\n`);
      channel.write(`${sayWord(hello)}cd ${quote(facts.folder)} && ${command}\n`);
      return afterWord(channel, hello, (fault) => lose(lossOf(fault)));
    };
    const listening = Promise.withResolvers<void>();
    const ends = new EndsReader(facts.boot, (term, end) => {
      if (term === 0) listening.resolve();
      else listener.onEnd(term, end);
    });
    (await become('il_ends; exit')).listen({
      onBytes: (bytes) => {
        const fault = isLost ? undefined : ends.read(bytes);
        if (fault !== undefined) lose(lossOf(fault));
      },
      onClosed: (why) => lose(new ShellLost(why)),
    });
    await Promise.race([listening.promise, lost.promise]);
    const control =
      facts.tmux === undefined
        ? undefined
        : new TmuxControl(await become('il_control; exit'), {
            onLost: lose,
            onStirred: listener.onStirred,
          });
    await Promise.race([control?.greeted, lost.promise]);
    await control?.ask(...SETTINGS);
    return { facts, shell, control, close: () => lose(new ShellLost('it was closed')) };
  } catch (error) {
    isLost = true;
    for (const part of parts) part.close();
    throw error;
  }
}

/** Nothing of what a user has in a file of settings counts here. */
const SETTINGS: readonly (readonly string[])[] = [
  ['set-option', '-g', 'default-terminal', 'tmux-256color'],
  ['set-option', '-g', 'history-limit', '50000'],
  ['set-option', '-g', 'update-environment', 'DISPLAY'],
  // Whoever attaches reads whose session it is.
  ['set-option', '-g', 'status-left-length', '60'],
];
