import type { Channel, Link } from '../../../../server/remote/channel.ts';

/** A way to a machine that is gone for good after so many bytes have gone over it, there or back. */
export function cutLink(link: Link, limitBytes: number): Link & { readonly bytes: () => number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    close: () => link.close(),
    open: async () => {
      const channel = await link.open();
      /** Answers how many of them still go through. */
      const count = (more: number): number => {
        const left = Math.max(0, limitBytes - bytes);
        bytes += more;
        if (more > left) channel.close();
        return left;
      };
      return cutChannel(channel, count);
    },
  };
}

function cutChannel(channel: Channel, count: (more: number) => number): Channel {
  return {
    close: () => channel.close(),
    write: (text) => {
      const all = Buffer.from(text);
      const left = count(all.length);
      if (left > 0) channel.write(all.subarray(0, left));
    },
    listen: (listener) =>
      channel.listen({
        onClosed: listener.onClosed,
        onBytes: (all) => {
          const left = count(all.length);
          if (left > 0) listener.onBytes(all.subarray(0, left));
        },
      }),
  };
}
