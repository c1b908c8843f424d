import { type Link, LinkError } from './channel.ts';

/**
 * A way to a machine for the process that decides. Orders and stops are sent again by time, not by a
 * commit. So a process that was stopped and taken over could still send an old one when it goes on. It
 * asks here, once for all that goes to a machine, whether it decides; if it does not, nothing goes out.
 */
export function decidersLink(link: Link, mayAct: () => boolean): Link {
  return {
    open: async () => {
      if (!mayAct()) throw new LinkError('another process decides now', { mayPass: true });
      const channel = await link.open();
      return {
        write: (text) => {
          if (mayAct()) channel.write(text);
          else channel.close();
        },
        listen: (listener) => channel.listen(listener),
        close: () => channel.close(),
      };
    },
    renew: () => link.renew?.(),
    close: () => link.close(),
  };
}
