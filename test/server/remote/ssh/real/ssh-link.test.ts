import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HostShell } from '../../../../../server/remote/host-shell.ts';
import { sshLink } from '../../../../../server/remote/ssh/ssh-link.ts';
import { linkContract } from '../../../../support/contracts/link-contract.ts';
import { Heard } from '../../../../support/heard.ts';
import { type LoginShell, Sshd, type SshdOptions } from '../../../../support/sshd.ts';
import { untilGone } from '../../../runners/command-bench.ts';
import { linkTo, startSshd } from '../ssh-bench.ts';

/** What users have in such files: words, a great many of them, and bytes that are no text. */
const NOISE = String.raw`echo welcome; echo 'a-word-of' >&2; printf '\001\002\377 no newline'; head -c 300000 /dev/zero`;

const FISH = { program: '/usr/bin/fish', files: { '.config/fish/config.fish': NOISE } };

const HOSTS: readonly (readonly [string, SshdOptions])[] = [
  ['the login shell of this machine', {}],
  ['a noisy fish', { loginShell: FISH }],
];

for (const [name, options] of HOSTS)
  describe.skipIf(!existsSync(options.loginShell?.program ?? '/'))(`a host with ${name}`, () => {
    let sshd: Sshd;
    beforeAll(async () => {
      sshd = await Sshd.start(options);
    });
    afterAll(async () => await sshd.stop());
    linkContract(() => sshLink('box', { env: process.env, configFile: sshd.configFile }));
  });

const SHELLS: readonly LoginShell[] = [
  { program: '/bin/sh' },
  { program: '/bin/bash', files: { '.bashrc': NOISE } },
  { program: '/usr/bin/tcsh', files: { '.cshrc': NOISE } },
  { program: '/usr/bin/zsh', files: { '.zshenv': NOISE } },
  FISH,
];

for (const loginShell of SHELLS)
  test.skipIf(!existsSync(loginShell.program))(
    `whatever ${loginShell.program} says before is passed over, and nothing is left behind`,
    async () => {
      const link = linkTo(await startSshd({ loginShell }));
      const channel = await link.open();
      const shell = await HostShell.greet(channel, { hello: 'a-word-of-it', onLost: () => {} });
      expect((await shell.ask('il_beat')).status).toBe(0);
      const { lines } = await shell.ask('printf', String.raw` %s\n`, "a b'c", '#(id)', 'ü');
      expect(lines).toEqual(["a b'c", '#(id)', 'ü']);
      const other = await link.open();
      const heard = new Heard(other);
      other.write('echo "pid $$."; sleep 1000\n');
      const [, pid] = await heard.says(/pid (\d+)\./);
      link.close();
      await untilGone(Number(pid));
    },
  );

test('where nobody answers, whoever renews the way gets another connection at once', async () => {
  const sshd = await startSshd();
  const link = linkTo(sshd);
  await link.open();
  sshd.freeze();
  link.renew?.();
  const channel = await link.open();
  const heard = new Heard(channel);
  channel.write('echo another\n');
  expect(await heard.says(/another/)).toBeTruthy();
});
