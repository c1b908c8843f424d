import { expect, test } from 'vitest';
import { EndpointError } from '../../../server/coordinator/endpoint.ts';
import { SlowLook } from '../../../server/keeper/slow-look.ts';
import { HandTime } from '../../support/hand-time.ts';

test('what keeps the way in from being put back is said once, and again after it was there', async () => {
  const time = new HandTime();
  const said: string[] = [];
  let failure: Error | undefined = new EndpointError('The folder is gone.');
  const restore = async (): Promise<void> => {
    if (failure !== undefined) throw failure;
  };
  using _ = new SlowLook({
    alarm: time,
    engine: { ask: async (perform) => perform() },
    server: { restore },
    listener: {
      noticed: (sentence) => void said.push(sentence),
      faulted: (error) => void said.push(String(error)),
    },
  });
  await time.pass(20_000);
  failure = undefined;
  await time.pass(5000);
  failure = new Error('One is not two.');
  await time.pass(10_000);
  expect(said).toEqual(['The folder is gone.', 'Error: One is not two.']);
});
