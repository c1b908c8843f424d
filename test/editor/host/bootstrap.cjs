// Runs inside the extension host, and is a vitest worker until the pool hangs up.
const net = require('node:net');

exports.run = async () => {
  globalThis.vscodeOfThisHost = require('vscode');
  const { init, runBaseTests, setupEnvironment } = await import('vitest/worker');
  const { connectFrames } = await import('./frames.mjs');
  await new Promise((resolve, reject) => {
    const socket = net.connect(process.env.INTERLOCK_VITEST_SOCKET ?? '');
    const listeners = new Set();
    const send = connectFrames(socket, (message) => {
      for (const listener of listeners) listener(message);
    });
    socket.on('close', resolve);
    socket.on('error', reject);
    init({
      post: send,
      on: (listener) => listeners.add(listener),
      off: (listener) => listeners.delete(listener),
      runTests: (state, traces) => runBaseTests('run', state, traces),
      collectTests: (state, traces) => runBaseTests('collect', state, traces),
      setup: setupEnvironment,
    });
  });
};
