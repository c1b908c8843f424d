import { expect, test } from 'vitest';
import { HostSights } from '../../../server/remote/host-sights.ts';

const HOST = { name: 'build-1', ssh: 'b', folder: '~/c', sync: 'git', capabilities: [] } as const;

test('what a runner sees of hosts is told to whoever shows it', () => {
  const sights = new HostSights();
  let told = 0;
  const listening = sights.onChanged(() => (told += 1));
  sights.see('one', [{ host: HOST, state: { kind: 'reconnecting', why: 'it is silent' } }]);
  expect(sights.of('one')).toEqual([
    { name: 'build-1', state: 'reconnecting', why: 'it is silent' },
  ]);
  sights.see('one', [
    { host: HOST, state: { kind: 'reachable', load: 1 }, system: 'Linux', hasTmux: false },
  ]);
  expect(sights.of('one')).toEqual([
    { name: 'build-1', state: 'reachable', why: '', system: 'Linux', hasTmux: false },
  ]);
  expect(sights.of('another')).toEqual([]);
  listening[Symbol.dispose]();
  sights.see('one', []);
  expect(told).toBe(2);
});
