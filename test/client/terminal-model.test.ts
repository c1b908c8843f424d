import { expect, test } from 'vitest';
import { terminalLaunch } from '../../client/terminal-model.ts';
import type { OpenTerminal } from '../../protocol/terminals.ts';

const TASK: OpenTerminal = {
  folderUri: 'file:///a%20b',
  plan: 'interlock.yaml',
  id: 'play',
  board: '/a b',
  run: '0mwn2e9yr-015dfa48ee',
  attempt: 2,
  as: 'kim',
};
const PROGRAM = { program: '/bin/node', script: '/ext/dist/cli.js', stateDir: undefined };

test('a terminal starts the command line with one word for each thing, and no shell', () => {
  expect(terminalLaunch(TASK, PROGRAM)).toMatchObject({
    name: 'play',
    shellPath: '/bin/node',
    shellArgs: [
      '/ext/dist/cli.js',
      'terminal',
      'play',
      '--board=/a b',
      '--plan=interlock.yaml',
      '--run=0mwn2e9yr-015dfa48ee',
      '--attempt=2',
      '--as=kim',
      '--stay',
    ],
  });
});

test('it finds boards where the window does', () => {
  const { env } = terminalLaunch(TASK, { ...PROGRAM, stateDir: '/state' });
  expect(env).toMatchObject({ INTERLOCK_STATE_DIR: '/state', ELECTRON_RUN_AS_NODE: '1' });
  expect(terminalLaunch(TASK, PROGRAM).env).not.toHaveProperty('INTERLOCK_STATE_DIR');
});
