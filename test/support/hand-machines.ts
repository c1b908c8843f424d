import {
  type Attachment,
  type Machines,
  MachineUnreachable,
  type Session,
  type SessionEnding,
  type SessionMaking,
  type Sessions,
  type SessionsSeen,
  type SessionWanted,
} from '../../server/board/session-ports.ts';
import { readSessionName } from '../../server/domain/session-name.ts';

/** What there is of sessions on one machine, changed by hand. */
interface HandMachine {
  readonly sessions: Map<string, Session>;
  readonly foreign: string[];
  hasTmux: boolean;
  isReachable: boolean;
}

/** Machines with sessions that nobody runs; asks what real ones ask, and keeps what was shown. */
export class HandMachines implements Machines {
  readonly board = 'b0a4d';
  readonly repo = 'shop';
  readonly shown: string[] = [];
  exitCode = 0;
  now = 1_000_000_000_000;
  readonly #machines = new Map<string, HandMachine>();

  constructor() {
    this.at('local');
  }

  get places(): readonly string[] {
    return [...this.#machines.keys()];
  }

  at(place: string): HandMachine {
    const machine = this.#machines.get(place) ?? {
      sessions: new Map(),
      foreign: [],
      hasTmux: true,
      isReachable: true,
    };
    this.#machines.set(place, machine);
    return machine;
  }

  put(place: string, name: string, fields: Partial<Session> = {}): Session {
    const key = readSessionName(name);
    if (key === undefined) throw new Error(`${name} is the name of no session.`);
    const session: Session = {
      name,
      key: `${this.board}:run-1:${this.at(place).sessions.size + 1}`,
      ...key,
      createdAt: this.now,
      changedAt: this.now,
      clients: 0,
      isOver: false,
      ...fields,
    };
    this.at(place).sessions.set(name, session);
    return session;
  }

  folderAt(place: string): string {
    return place === 'local' ? '/project' : `~/code/${this.repo}`;
  }

  async sessionsAt(place: string): Promise<Sessions> {
    const machine = this.at(place);
    if (!machine.isReachable) throw new MachineUnreachable(`"${place}": it does not answer.`);
    return {
      list: async (): Promise<SessionsSeen> =>
        machine.hasTmux
          ? {
              kind: 'seen',
              now: this.now,
              sessions: [...machine.sessions.values()],
              foreign: machine.foreign,
            }
          : { kind: 'no-tmux' },
      make: async (wanted): Promise<SessionMaking> => this.#make(place, wanted),
      end: async ({ name, key }): Promise<SessionEnding> => {
        const found = machine.sessions.get(name);
        if (found === undefined) return 'gone';
        if (found.key !== key) return 'foreign';
        machine.sessions.delete(name);
        return 'ended';
      },
      close: () => {},
    };
  }

  attachment(place: string, name: string, mode: 'read' | 'write'): Attachment {
    return { file: 'show', args: [place, name, mode] };
  }

  async handOver({ file, args }: Attachment): Promise<number> {
    this.shown.push([file, ...args].join(' '));
    return this.exitCode;
  }

  #make(place: string, { name, key }: SessionWanted): SessionMaking {
    const { hasTmux, sessions, foreign } = this.at(place);
    if (!hasTmux) return { kind: 'no-tmux' };
    const there = sessions.get(name);
    if (foreign.includes(name) || (there !== undefined && there.key !== key))
      return { kind: 'foreign' };
    this.put(place, name, { key });
    return { kind: 'there' };
  }
}
