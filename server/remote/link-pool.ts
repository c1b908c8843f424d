import type { Channel, Link } from './channel.ts';

interface SharedLink {
  readonly destination: string;
  readonly link: Link;
  users: number;
}

/** A board has up to five channels to a machine, and sshd allows ten on one connection. */
const MOST_USERS = 2;

/** One way to each machine for the boards that go it, and another one for more than it takes. */
export class LinkPool {
  readonly #open: (destination: string) => Link;
  readonly #links = new Set<SharedLink>();

  constructor(open: (destination: string) => Link) {
    this.#open = open;
  }

  /** Of whoever closes it, the channels are closed; the last one closes the way. */
  of(destination: string): Link {
    const shared = this.#withRoom(destination);
    shared.users += 1;
    const { link } = shared;
    const channels = new Set<Channel>();
    let isClosed = false;
    return {
      open: async () => {
        const channel = await link.open();
        channels.add(channel);
        if (isClosed) channel.close();
        return channel;
      },
      renew: () => link.renew?.(),
      close: () => {
        if (isClosed) return;
        isClosed = true;
        for (const channel of channels) channel.close();
        shared.users -= 1;
        if (shared.users > 0) return;
        this.#links.delete(shared);
        link.close();
      },
    };
  }

  #withRoom(destination: string): SharedLink {
    for (const shared of this.#links)
      if (shared.destination === destination && shared.users < MOST_USERS) return shared;
    const shared = { destination, link: this.#open(destination), users: 0 };
    this.#links.add(shared);
    return shared;
  }
}
