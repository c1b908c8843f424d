import { unreachable } from '../domain/assert.ts';
import type { HostDefinition } from '../domain/host.ts';
import type { Link, LinkError } from './channel.ts';
import { localLink } from './local-link.ts';
import type { KeyShown, SshSide } from './remote-machines.ts';
import { HostKeyError } from './ssh/host-key-error.ts';
import { fingerprint } from './ssh/host-key.ts';
import { addKnownHost } from './ssh/known-hosts-files.ts';
import type { SshConfig } from './ssh/ssh-config.ts';
import { sshLink, surroundingsOf } from './ssh/ssh-link.ts';
import { resolveHost } from './ssh/system-ssh.ts';

/** How this machine gets to others by ssh, and what it knows of them. */
export class UserSsh implements SshSide {
  readonly #env: NodeJS.ProcessEnv;

  /** In which a shell of this machine finds what is kept here. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  linkTo(host: HostDefinition | undefined): Link {
    return host === undefined ? localLink(this.#env) : sshLink(host.ssh, { env: this.#env });
  }

  async wayTo({ ssh }: HostDefinition): Promise<string> {
    const config = await resolveHost(ssh, { program: 'ssh' }, surroundingsOf(this.#env));
    return `${config.user}@${config.hostname}, port ${config.port}${wayText(config)}`;
  }

  keyOf(error: LinkError): KeyShown {
    if (!(error instanceof HostKeyError)) return { kind: 'none' };
    const { offered } = error;
    if (offered === undefined) return { kind: 'wrong' };
    const { type, name, file } = offered;
    const add = async (): Promise<void> => await addKnownHost(offered);
    return { kind: 'unknown', type, fingerprint: fingerprint(offered), name, file, add };
  }
}

function wayText({ way }: SshConfig): string {
  switch (way.kind) {
    case 'direct':
      return '';
    case 'jump':
      return `, by way of ${way.jumps.join(', ')}`;
    case 'command':
      return ', by a command of your configuration';
    default:
      return unreachable(way);
  }
}
