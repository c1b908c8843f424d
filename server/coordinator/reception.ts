import type { Duplex } from 'node:stream';
import { judgeHello, type PeerGroup, type ProtocolRange } from './hello.ts';
import type { TransportLimits } from './limits.ts';
import { SharedFrames } from './shared-frames.ts';
import { type BoardHandler, ServerPeer, type ServerPeerContext } from './server-peer.ts';

export interface ReceptionOptions {
  readonly handler: BoardHandler;
  readonly build: string;
  readonly protocol: ProtocolRange;
  readonly limits: TransportLimits;
  /** What a handler threw that it was not meant to. */
  readonly onFault: (error: unknown) => void;
  readonly isToken: (token: unknown) => boolean;
}

const GROUPS: readonly PeerGroup[] = ['window', 'worker', 'observer', 'command', 'agent'];

/**
 * Everybody who is connected, wherever the connection comes from.
 *
 * Invariant: a connection is counted until it is closed, also while it is being closed, so that the
 * caps are those of open streams.
 */
export class Reception {
  readonly #limits: TransportLimits;
  readonly #context: ServerPeerContext;
  /** The oldest first. */
  readonly #strangers = new Set<ServerPeer>();
  readonly #seated = new Map<ServerPeer, PeerGroup>();
  #lastId = 0;
  #isClosing = false;
  #onEmpty: (() => void) | undefined;

  constructor({ handler, build, protocol, limits, onFault, isToken }: ReceptionOptions) {
    this.#limits = limits;
    this.#context = {
      handler,
      limits,
      onFault,
      build,
      judge: (params) => judgeHello(params, { isToken, build, protocol }),
      seat: (peer, group) => this.#seat(peer, group),
      onClosed: (peer) => this.#forget(peer),
      onBacklog: () => this.#relieve(),
      frames: new SharedFrames(limits.frameBytes),
    };
  }

  accept(stream: Duplex): void {
    if (this.#isClosing) {
      stream.destroy();
      return;
    }
    const [oldest] = this.#strangers;
    if (oldest !== undefined && this.#strangers.size >= this.#limits.strangers) {
      this.#strangers.delete(oldest);
      oldest.destroy();
    }
    this.#strangers.add(new ServerPeer(stream, this.#context));
  }

  /** Resolves when all are gone, which those who do not go by themselves do after `lingerMs`. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const peer of [...this.#strangers, ...this.#seated.keys()]) peer.sayBye();
    if (this.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  get size(): number {
    return this.#strangers.size + this.#seated.size;
  }

  #seat(peer: ServerPeer, group: PeerGroup): number | undefined {
    if (this.#seated.size + this.#keptFromOthersThan(group) >= this.#limits.peers) return undefined;
    this.#strangers.delete(peer);
    this.#seated.set(peer, group);
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Seats that are free, and are for other groups. */
  #keptFromOthersThan(group: PeerGroup): number {
    const { peersKept } = this.#limits;
    const left = new Map(GROUPS.map((each) => [each, each === group ? 0 : peersKept]));
    for (const seated of this.#seated.values()) left.set(seated, (left.get(seated) ?? 0) - 1);
    return [...left.values()].reduce((sum, each) => sum + Math.max(0, each), 0);
  }

  /** Whoever is closed can come again, and is told then what it has missed. */
  #relieve(): void {
    const waiting = [...this.#seated.keys()].toSorted(
      (one, other) => other.backlogBytes - one.backlogBytes,
    );
    let bytes = waiting.reduce((sum, { backlogBytes }) => sum + backlogBytes, 0);
    for (const peer of waiting) {
      if (bytes <= this.#limits.outgoingTogetherBytes) return;
      bytes -= peer.backlogBytes;
      peer.destroy();
    }
  }

  #forget(peer: ServerPeer): void {
    this.#strangers.delete(peer);
    this.#seated.delete(peer);
    if (this.size === 0) this.#onEmpty?.();
  }
}
