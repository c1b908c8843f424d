import { unreachable } from '../../domain/assert.ts';
import { LinkError } from '../channel.ts';
import { fingerprint, type HostKey } from './host-key.ts';
import type { KnownHost, OfferedHostKey } from './known-hosts-files.ts';
import type { KnownLine } from './known-hosts.ts';

/** A host is not known to be who it should be. Somebody has to look at it, so it never passes. */
export class HostKeyError extends LinkError {
  /** What may be added by `addKnownHost`; absent where that would be wrong. */
  readonly offered: OfferedHostKey | undefined;

  constructor(message: string, offered?: OfferedHostKey) {
    super(message, { mayPass: false });
    this.offered = offered;
  }
}

/** Answers with nothing where the host is known by this key. */
export function hostKeyProblem(
  destination: string,
  known: KnownHost,
  offered: HostKey,
): HostKeyError | undefined {
  const verdict = known.judge(offered);
  const shown = `${kindOf(offered)} key ${fingerprint(offered)}`;
  switch (verdict.kind) {
    case 'known':
      return undefined;
    case 'revoked':
      return new HostKeyError(
        `${destination} shows the ${shown}, which is revoked (${placeOf(verdict.by)}). It was not connected to.`,
      );
    case 'changed':
      return new HostKeyError(
        `${destination} is not who it was: it shows the ${shown}, and is known by ${list(verdict.known)}. ` +
          `It was not connected to. If its key has really changed, ask whoever runs it, then type: ${removalOf(verdict.known, known.name)}`,
      );
    case 'unknown': {
      const [authority] = verdict.authorities;
      const vouched =
        authority === undefined
          ? ''
          : ` ${placeOf(authority)} trusts an authority to vouch for it; Interlock needs the key of the host itself.`;
      return new HostKeyError(
        `${destination} is not known: it shows the ${shown}. It was not connected to.${vouched} ` +
          `Compare that with what whoever runs it says; then trust it with "interlock hosts trust NAME", or open a terminal: ssh ${destination}`,
        known.offer(offered),
      );
    }
    default:
      return unreachable(verdict);
  }
}

/** Without a file `ssh-keygen` looks into the one that most people have. */
function removalOf([line]: readonly KnownLine[], name: string): string {
  return line === undefined
    ? `ssh-keygen -R '${name}'`
    : `ssh-keygen -f '${line.path}' -R '${name}'`;
}

function list(lines: readonly KnownLine[]): string {
  const each = lines
    .slice(0, MOST_SHOWN)
    .map((line) => `${kindOf(line)} key ${fingerprint(line)} (${placeOf(line)})`);
  return lines.length > MOST_SHOWN ? `${each.join(', ')} and others` : each.join(', ');
}

const MOST_SHOWN = 4;

function placeOf({ path, line }: KnownLine): string {
  return `${path}:${line}`;
}

/** As OpenSSH calls it: `ED25519`. */
function kindOf({ type }: HostKey): string {
  if (type.startsWith('ecdsa-')) return 'ECDSA';
  return type.replace(/^ssh-/, '').toUpperCase();
}
