import { type Channel, type Link, LinkError } from '../../server/remote/channel.ts';

/** What lies between two machines, for a test that pulls it out. */
export class Cable {
  readonly #channels = new Set<{ cut(): void }>();
  #isIn = true;

  over(link: Link): Link {
    return {
      open: async () => {
        if (!this.#isIn) throw new LinkError('there is no way to it', { mayPass: true });
        return this.#laid(await link.open());
      },
      close: () => link.close(),
    };
  }

  /** Whatever goes through it is gone at once, on both sides. */
  pull(): void {
    this.#isIn = false;
    for (const channel of this.#channels) channel.cut();
    this.#channels.clear();
  }

  plug(): void {
    this.#isIn = true;
  }

  #laid(channel: Channel): Channel {
    let closed: ((why: string) => void) | undefined;
    const cut = (): void => {
      channel.close();
      closed?.('the cable was pulled');
    };
    this.#channels.add({ cut });
    return {
      write: (text) => channel.write(text),
      close: () => channel.close(),
      listen: ({ onBytes, onClosed }) => {
        let isOver = false;
        closed = (why) => {
          if (!isOver) onClosed(why);
          isOver = true;
        };
        channel.listen({
          onBytes: (bytes) => {
            if (!isOver) onBytes(bytes);
          },
          onClosed: (why) => closed?.(why),
        });
      },
    };
  }
}
