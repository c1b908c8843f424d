import { quote } from '../domain/shell-words.ts';
import type { Channel } from './channel.ts';
import { amount, NOISE_BYTES, overrun, type ReadFault } from './host-limits.ts';

/** How a shell is asked for a word: in two halves, so that whoever repeats what it hears does not say it. */
export function sayWord(word: string): string {
  const half = word.length / 2;
  return `printf '\\n%s%s\\n' ${quote(word.slice(0, half))} ${quote(word.slice(half))}\n`;
}

/**
 * What a shell says after a word that nobody says by chance. What files of its user print for everybody
 * who logs in comes before it, and may look like anything; `onFault` is called if it is too much.
 */
export function afterWord(
  channel: Channel,
  word: string,
  onFault: (fault: ReadFault) => void,
): Channel {
  const line = Buffer.from(`\n${word}\n`);
  return {
    write: (text) => channel.write(text),
    listen: ({ onBytes, onClosed }) => {
      let before: Buffer | undefined = Buffer.alloc(0);
      let noiseBytes = 0;
      channel.listen({
        onClosed,
        onBytes: (bytes) => {
          if (before === undefined) {
            onBytes(bytes);
            return;
          }
          noiseBytes += bytes.length;
          if (noiseBytes > NOISE_BYTES) {
            onFault(overrun(`more than ${amount(NOISE_BYTES)} before its shell was ready`));
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
