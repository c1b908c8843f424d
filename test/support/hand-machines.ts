import {
  type Attachment,
  type HostSight,
  type KeyOffer,
  type KeyTrust,
  type Machines,
  MachineUnreachable,
  type Session,
  type SessionEnding,
  type SessionMaking,
  type Sessions,
  type SessionsSeen,
  type SessionWanted,
} from '../../server/board/session-ports.ts';
import type { HostCheck } from '../../server/doctor/ports.ts';
import type { HostDefinition } from '../../server/domain/host.ts';
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
  problems: readonly string[] = [];
  gone: readonly string[] = [];
  sights: readonly HostSight[] = [];
  readonly checks = new Map<string, readonly HostCheck[]>();
  /** The keys that hosts show; of the others they are known. */
  readonly keys = new Map<string, KeyOffer>();
  readonly trusted: string[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #machines = new Map<string, HandMachine>();

  constructor() {
    this.at('local');
  }

  get places(): readonly string[] {
    return [...this.#machines.keys()];
  }

  get hosts(): readonly HostDefinition[] {
    return this.places.slice(1).map((name) => ({
      name,
      ssh: `kim@${name}`,
      folder: '~/code',
      sync: 'git',
      capabilities: [],
    }));
  }

  onChanged(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  see(...sights: readonly HostSight[]): void {
    this.sights = sights;
    for (const listener of this.#listeners) listener();
  }

  async check(host: string): Promise<readonly HostCheck[]> {
    return this.checks.get(host) ?? [{ name: 'login', state: 'fine', found: 'kim' }];
  }

  async offeredKey(host: string): Promise<KeyOffer> {
    return this.keys.get(host) ?? { kind: 'known' };
  }

  async trust(host: string, fingerprint: string): Promise<KeyTrust> {
    const offer = this.keys.get(host);
    if (offer?.kind !== 'offered' || offer.fingerprint !== fingerprint)
      return { kind: 'refused', message: `"${host}" shows another key now.` };
    this.trusted.push(`${host} ${fingerprint}`);
    this.keys.delete(host);
    return { kind: 'trusted', file: offer.file };
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
    if (!machine.isReachable) throw new MachineUnreachable('It does not answer.');
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
