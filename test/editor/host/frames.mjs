// Plain JavaScript, because the extension host of an older VS Code reads it too.
import { deserialize, serialize } from 'node:v8';

/**
 * Messages over a socket, each behind its length in four bytes.
 *
 * @param {import('node:net').Socket} socket
 * @param {(message: unknown) => void} onMessage
 * @returns {(message: unknown) => void} sends one
 */
export function connectFrames(socket, onMessage) {
  let buffer = Buffer.alloc(0);
  socket.on('data', (data) => {
    buffer = Buffer.concat([buffer, Buffer.from(data)]);
    for (;;) {
      if (buffer.length < 4) return;
      const end = 4 + buffer.readUInt32LE(0);
      if (buffer.length < end) return;
      /** @type {unknown} */
      const message = deserialize(buffer.subarray(4, end));
      buffer = buffer.subarray(end);
      onMessage(message);
    }
  });
  return (message) => {
    const body = serialize(message);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    socket.write(Buffer.concat([head, body]));
  };
}
