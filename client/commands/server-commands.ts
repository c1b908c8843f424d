import type { Part } from '../window.ts';

export const serverCommands: Part = ({ server, log }) => ({
  'interlock.server.restart': async () => server.restart(),
  'interlock.server.showOutput': () => log.show(),
});
