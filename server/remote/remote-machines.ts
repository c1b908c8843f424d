import { type Machines, MachineUnreachable, type Sessions } from '../board/session-ports.ts';
import type { HostDefinition } from '../domain/host.ts';
import { attachmentOf } from './attachment.ts';
import { type Link, LinkError } from './channel.ts';
import { ShellLost } from './host-shell.ts';
import { MachineSessions } from './sessions.ts';

export interface RemoteMachinesOptions {
  readonly board: string;
  readonly repo: string;
  /** The folder on this machine that it is about. */
  readonly root: string;
  /** Of the settings, as they are now. */
  readonly hosts: () => readonly HostDefinition[];
  /** A way of its own to a host, or to this machine. */
  readonly linkTo: (host: HostDefinition | undefined) => Link;
  readonly newWord: () => string;
}

/** The machines of the user, each asked when somebody wants to know. */
export class RemoteMachines implements Machines {
  readonly board: string;
  readonly repo: string;
  readonly #options: RemoteMachinesOptions;

  constructor(options: RemoteMachinesOptions) {
    this.board = options.board;
    this.repo = options.repo;
    this.#options = options;
  }

  get places(): readonly string[] {
    return [LOCAL, ...this.#options.hosts().map(({ name }) => name)];
  }

  folderAt(place: string): string {
    const host = this.#host(place);
    return host === undefined ? this.#options.root : `${host.folder}/${this.repo}`;
  }

  async sessionsAt(place: string): Promise<Sessions> {
    const { board, linkTo, newWord } = this.#options;
    const link = linkTo(this.#host(place));
    try {
      return await MachineSessions.reach({ link, board, hello: newWord() });
    } catch (error) {
      link.close();
      if (!(error instanceof LinkError || error instanceof ShellLost)) throw error;
      throw new MachineUnreachable(sentence(place, error.message), { cause: error });
    }
  }

  attachment(place: string, name: string, mode: 'read' | 'write'): ReturnType<typeof attachmentOf> {
    return attachmentOf({ board: this.board, name, host: this.#host(place), mode });
  }

  #host(place: string): HostDefinition | undefined {
    if (place === LOCAL) return undefined;
    const host = this.#options.hosts().find(({ name }) => name === place);
    if (host === undefined)
      throw new MachineUnreachable(`There is no host "${place}" in the settings.`);
    return host;
  }
}

const LOCAL = 'local';

function sentence(place: string, why: string): string {
  return place === LOCAL ? `This machine has no shell for us: ${why}.` : `"${place}": ${why}`;
}
