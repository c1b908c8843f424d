import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Direction, LabCable } from './lab-host.ts';

/** Stands for the cable to an sshd on this machine: whoever connects comes through here. */
export class Relay implements LabCable {
  readonly port: number;
  /** Where the sshd listens. */
  target = 0;
  readonly #server: Server;
  readonly #passages = new Set<Passage>();
  #isCut = false;

  private constructor(server: Server, port: number) {
    [this.#server, this.port] = [server, port];
    server.on('connection', (near) => {
      const far = connect({ host: '127.0.0.1', port: this.target, allowHalfOpen: true });
      const passage = new Passage(near, far);
      this.#passages.add(passage);
      for (const socket of [near, far])
        socket.once('close', () => {
          if (passage.isOver) this.#passages.delete(passage);
        });
      // To begin, packets have to go both ways.
      passage.hold(this.#isCut ? 'both' : undefined);
    });
  }

  static async open(): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port.');
    return new Relay(server, address.port);
  }

  cut(direction: Direction = 'both'): void {
    this.#isCut = true;
    for (const passage of this.#passages) passage.hold(direction);
  }

  lose(): void {
    throw new Error('A relay has no packets that it could lose.');
  }

  forget(): void {
    for (const passage of this.#passages) passage.hold('both');
  }

  mend(): void {
    this.#isCut = false;
    for (const passage of this.#passages) passage.hold(undefined);
  }

  reset(): void {
    for (const passage of this.#passages) passage.reset();
  }

  async close(): Promise<void> {
    this.reset();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** One connection: what is held back comes later, as with packets that are sent again. */
class Passage {
  readonly #near: Socket;
  readonly #far: Socket;
  #held: Direction | undefined;

  constructor(near: Socket, far: Socket) {
    [this.#near, this.#far] = [near, far];
    far.setNoDelay(true);
    for (const socket of [near, far])
      // Why it failed is of no interest: `hold` looks whether it did.
      socket.on('error', () => {}).on('close', () => this.hold(this.#held));
  }

  get isOver(): boolean {
    return this.#near.closed && this.#far.closed;
  }

  hold(direction: Direction | undefined): void {
    this.#held = direction;
    const [near, far] = [this.#near, this.#far];
    flow(near, far, direction === 'there' || direction === 'both');
    flow(far, near, direction === 'back' || direction === 'both');
  }

  reset(): void {
    for (const socket of [this.#near, this.#far]) socket.resetAndDestroy();
  }
}

function flow(from: Socket, to: Socket, isHeld: boolean): void {
  from.unpipe(to);
  if (isHeld) from.pause();
  else if (from.errored !== null) to.destroy();
  else if (!from.destroyed) from.pipe(to);
}
