import { spawn } from 'node:child_process';
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

/** Tells how many bytes of each message go there. */
export function heardLink(link: Link, onWrite: (bytes: number) => unknown): Link {
  return writingLink(link, (text, channel) => {
    channel.write(text);
    onWrite(text.length);
  });
}

/** A host that runs `lies` after `script`, which replaces functions of it. */
export function lyingLink(link: Link, script: string, lies: () => string): Link {
  return writingLink(link, (text, channel) =>
    channel.write(
      typeof text === 'string' ? text.replace(script, () => `${script}${lies()}\n`) : text,
    ),
  );
}

/** Does something else with each message that goes there. */
export function writingLink(
  link: Link,
  write: (text: Parameters<Channel['write']>[0], channel: Channel) => void,
): Link {
  return {
    close: () => link.close(),
    open: async () => {
      const channel = await link.open();
      return {
        close: () => channel.close(),
        listen: (listener) => channel.listen(listener),
        write: (text) => write(text, channel),
      };
    },
  };
}

/** This machine, by a shell of another kind. */
export function shellLink(words: string, env: NodeJS.ProcessEnv): Link {
  return {
    close: () => {},
    open: async () => {
      const [program = '', ...args] = words.split(' ');
      const shell = spawn(program, args, { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
      shell.stdin.on('error', () => {});
      return {
        write: (text) => void shell.stdin.write(text),
        close: () => void shell.stdin.end(),
        listen: ({ onBytes, onClosed }) => {
          shell.stdout.on('data', onBytes);
          shell.once('close', () => onClosed('its shell has ended'));
        },
      };
    },
  };
}

/** A machine where the user is at home elsewhere. */
export function withHome(link: Link, home: string): Link {
  return saying(link, `HOME=${home}\n`);
}

/** No file there gets larger than so many blocks of 512 bytes. */
export function limited(link: Link, blocks: number): Link {
  return saying(link, `trap '' XFSZ; ulimit -f ${blocks}\n`);
}

function saying(link: Link, first: string): Link {
  return {
    close: () => link.close(),
    open: async () => {
      const channel = await link.open();
      channel.write(first);
      return channel;
    },
  };
}
