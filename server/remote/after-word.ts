import { quote } from '../domain/shell-words.ts';
import type { Channel } from './channel.ts';

/** How a shell is asked for a word: in two halves, so that whoever repeats what it hears does not say it. */
export function sayWord(word: string): string {
  const half = word.length / 2;
  return `printf '\\n%s%s\\n' ${quote(word.slice(0, half))} ${quote(word.slice(half))}\n`;
}

/**
 * What a shell says after a word that nobody says by chance. What files of its user print for everybody
 * who logs in comes before it, and may look like anything.
 */
export function afterWord(channel: Channel, word: string): Channel {
  const line = Buffer.from(`\n${word}\n`);
  return {
    write: (text) => channel.write(text),
    listen: ({ onBytes, onClosed }) => {
      let before: Buffer | undefined = Buffer.alloc(0);
      channel.listen({
        onClosed,
        onBytes: (bytes) => {
          if (before === undefined) {
            onBytes(bytes);
            return;
          }
          const all: Buffer = Buffer.concat([before, bytes]);
          const at = all.indexOf(line);
          before = at < 0 ? all.subarray(-line.length) : undefined;
          const rest = at < 0 ? undefined : all.subarray(at + line.length);
          if (rest !== undefined && rest.length > 0) onBytes(rest);
        },
      });
    },
    close: () => channel.close(),
  };
}
