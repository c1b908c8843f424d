import { expect, test } from 'vitest';
import { LinkError } from '../../../../../server/remote/channel.ts';
import { localLink } from '../../../../../server/remote/local-link.ts';
import { linkContract } from '../../../../support/contracts/link-contract.ts';

linkContract(() => localLink(process.env));

test('a machine that can start no process now is out of reach, for now', async () => {
  const link = localLink({ ...process.env, TOO_LONG: 'x'.repeat(300_000) });
  const error: unknown = await link.open().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LinkError);
  expect(error).toMatchObject({ mayPass: true });
});
