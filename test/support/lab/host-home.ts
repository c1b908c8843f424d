import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostParts } from './lab-host.ts';
import { newKey } from './ssh-key.ts';

interface HomeOptions {
  /** As the host calls it. */
  readonly homeThere: string;
  /** Lines for sshd that no other host has. */
  readonly sshd: readonly string[];
  /** What the user has in each session, whoever asks. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes the home folder of a host, with all that its sshd needs in `.sshd`; answers the host's key. */
export function newHome(
  { folder, userKey, sshd = [], environment = () => ({}), files = {} }: HostParts,
  own: HomeOptions,
): string {
  const home = path.join(folder, 'home');
  mkdirSync(path.join(home, '.sshd'), { recursive: true, mode: 0o700 });
  const publicKey = newKey(path.join(home, '.sshd', 'host_key'));
  const variables = Object.entries({ ...own.environment, ...environment(own.homeThere) });
  const words = variables.map(([name, value]) => ` ${name}="${value}"`);
  const lines = [
    `HostKey ${own.homeThere}/.sshd/host_key`,
    `AuthorizedKeysFile ${own.homeThere}/.sshd/user_keys`,
    ...SSHD,
    ...own.sshd,
    // Of several such lines it reads the first only.
    ...(words.length > 0 ? [`SetEnv${words.join('')}`] : []),
    ...sshd,
    '',
  ];
  write(home, {
    '.sshd/user_keys': `${userKey}\n`,
    '.sshd/config': lines.join('\n'),
    ...files,
  });
  return publicKey;
}

const SSHD = [
  'StrictModes no',
  'UsePAM no',
  'PasswordAuthentication no',
  'PermitRootLogin yes',
  'MaxStartups 100',
  'PrintMotd no',
];

function write(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
