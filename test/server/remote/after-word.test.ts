import { expect, test } from 'vitest';
import { afterWord } from '../../../server/remote/after-word.ts';
import type { ChannelListener } from '../../../server/remote/channel.ts';

const SAID = '!0\n%exit\nhello\nno-hello\n hello\nhello\n!0\nhello\n%begin';
const WORD = 'hello';

test.each([1, 2, 3, 5, 100])('what comes before the word is left out, in pieces of %d', (size) => {
  const heard: string[] = [];
  let listener: ChannelListener | undefined;
  afterWord(
    {
      write: () => {},
      listen: (each) => void (listener = each),
      close: () => {},
    },
    WORD,
    () => expect.unreachable(),
  ).listen({ onBytes: (bytes) => heard.push(bytes.toString()), onClosed: () => {} });
  for (let at = 0; at < SAID.length; at += size)
    listener?.onBytes(Buffer.from(SAID.slice(at, at + size)));
  expect(heard.join('')).toBe('no-hello\n hello\nhello\n!0\nhello\n%begin');
});
