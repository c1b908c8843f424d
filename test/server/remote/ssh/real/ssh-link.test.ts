import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { sshLink } from '../../../../../server/remote/ssh/ssh-link.ts';
import { linkContract } from '../../../../support/contracts/link-contract.ts';
import { Sshd, type SshdOptions } from '../../../../support/sshd.ts';

/** What users have in such files: words, a great many of them, and bytes that are no text. */
const NOISE = String.raw`echo welcome; echo 'a-word-of' >&2; printf '\001\002\377 no newline'; head -c 300000 /dev/zero`;

const SHELLS: readonly (readonly [string, SshdOptions])[] = [
  ['the login shell of this machine', {}],
  ['sh', { loginShell: { program: '/bin/sh' } }],
  ['a noisy bash', { loginShell: { program: '/bin/bash', files: { '.bashrc': NOISE } } }],
  ['a noisy zsh', { loginShell: { program: '/usr/bin/zsh', files: { '.zshenv': NOISE } } }],
  [
    'a noisy fish',
    { loginShell: { program: '/usr/bin/fish', files: { '.config/fish/config.fish': NOISE } } },
  ],
];

for (const [name, options] of SHELLS)
  describe.skipIf(!existsSync(options.loginShell?.program ?? '/'))(`a host with ${name}`, () => {
    let sshd: Sshd;
    beforeAll(async () => {
      sshd = await Sshd.start(options);
    });
    afterAll(async () => await sshd.stop());
    linkContract(() => sshLink('box', { env: process.env, configFile: sshd.configFile }));
  });
