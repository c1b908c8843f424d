import type { SshConfig } from './ssh-config.ts';

/** What is offered to a host, the best first, in the names of the protocol. */
export interface Offer {
  readonly serverHostKey: (typeof OURS.hostKeys)[number][];
  readonly cipher: (typeof OURS.ciphers)[number][];
  readonly hmac: (typeof OURS.macs)[number][];
  readonly kex: (typeof OURS.exchanges)[number][];
}

/** Of what `ssh2` can do: nothing with SHA-1, CBC, or the cipher that Terrapin was about. */
const OURS = {
  hostKeys: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  ciphers: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  macs: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  exchanges: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
  ],
} as const;

/**
 * What both we and the user's configuration allow. Types of keys that the host is known by come first:
 * a host has several, and one of the others would look like a stranger's.
 *
 * Answers with a sentence where nothing is left.
 */
export function offerTo(config: SshConfig, knownTypes: readonly string[]): Offer | string {
  const { hostKeys, ciphers, macs, exchanges } = config.algorithms;
  const isKnown = (name: string): boolean =>
    knownTypes.includes(name.startsWith('rsa-') ? 'ssh-rsa' : name);
  const ourKeys = OURS.hostKeys.filter((name) => isAllowed(name, hostKeys));
  const offer: Offer = {
    serverHostKey: [...ourKeys.filter(isKnown), ...ourKeys.filter((name) => !isKnown(name))],
    cipher: OURS.ciphers.filter((name) => isAllowed(name, ciphers)),
    hmac: OURS.macs.filter((name) => isAllowed(name, macs)),
    kex: OURS.exchanges.filter((name) => isAllowed(name, exchanges)),
  };
  const empty = Object.entries(offer).find(([, names]) => names.length === 0)?.[0];
  return empty === undefined
    ? offer
    : `The ssh configuration of ${config.destination} allows no ${NAMES[empty]} that Interlock has.`;
}

function isAllowed(name: string, names: readonly string[] | undefined): boolean {
  return names === undefined || names.includes(name);
}

const NAMES: Readonly<Record<string, string>> = {
  serverHostKey: 'HostKeyAlgorithms',
  cipher: 'Ciphers',
  hmac: 'MACs',
  kex: 'KexAlgorithms',
};
