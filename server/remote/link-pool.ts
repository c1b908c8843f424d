import type { Channel, Link } from './channel.ts';

/** One way to each machine, however many boards go it. */
export class LinkPool {
  readonly #open: (destination: string) => Link;
  readonly #links = new Map<string, { readonly link: Link; users: number }>();

  constructor(open: (destination: string) => Link) {
    this.#open = open;
  }

  /** Of whoever closes it, the channels are closed; the last one closes the way. */
  of(destination: string): Link {
    const shared = this.#links.get(destination) ?? { link: this.#open(destination), users: 0 };
    this.#links.set(destination, shared);
    shared.users += 1;
    const channels = new Set<Channel>();
    let isClosed = false;
    return {
      open: async () => {
        const channel = await shared.link.open();
        if (isClosed) channel.close();
        else channels.add(channel);
        return noticed(channel, () => void channels.delete(channel));
      },
      renew: () => shared.link.renew?.(),
      close: () => {
        if (isClosed) return;
        isClosed = true;
        for (const channel of channels) channel.close();
        shared.users -= 1;
        if (shared.users > 0) return;
        this.#links.delete(destination);
        shared.link.close();
      },
    };
  }
}

/** A channel whose end somebody else hears of as well. */
function noticed(channel: Channel, onGone: () => void): Channel {
  return {
    write: (text) => channel.write(text),
    listen: ({ onBytes, onClosed }) =>
      channel.listen({
        onBytes,
        onClosed: (why) => {
          onGone();
          onClosed(why);
        },
      }),
    close: () => {
      onGone();
      channel.close();
    },
  };
}
