import { execFile } from 'node:child_process';
import { programPath } from '../../runners/find-program.ts';
import { displayText, inShort } from '../../domain/display-text.ts';
import { LinkError } from '../channel.ts';
import {
  isDestination,
  readSshConfig,
  type SshConfig,
  type SshSurroundings,
} from './ssh-config.ts';

/** The `ssh` of this machine, which knows its configuration best. */
export interface SystemSsh {
  readonly program: string;
  /** Instead of the user's own. */
  readonly configFile?: string;
}

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 1024 * 1024;

/** What the user's configuration says of a destination. Throws `LinkError`. */
export async function resolveHost(
  destination: string,
  ssh: SystemSsh & { readonly signal?: AbortSignal },
  surroundings: SshSurroundings,
): Promise<SshConfig> {
  // `--` keeps it from being an option as well; that alone would do for ssh, and not for whoever reads this.
  if (!isDestination(destination))
    throw new LinkError(
      `"${inShort(displayText(destination), 80)}" is no host that ssh could connect to.`,
      { mayPass: false },
    );
  const { program, configFile, signal } = ssh;
  const args = [...(configFile === undefined ? [] : ['-F', configFile]), '-G', '--', destination];
  const text = await new Promise<string>((resolve, reject) => {
    const options = { env: surroundings.env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES };
    execFile(
      programPath(program, surroundings.env),
      args,
      signal === undefined ? options : { ...options, signal },
      (cause, out, said) => {
        if (signal?.aborted === true) reject(new LinkError('It was closed.', { mayPass: true }));
        else if (cause === null) resolve(out);
        else reject(failure(destination, { cause, program, said }));
      },
    );
  });
  return readSshConfig(text, destination, surroundings);
}

function failure(
  destination: string,
  { cause, program, said }: { cause: Error; program: string; said: string },
): LinkError {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  const why = inShort(displayText(said), 400) || cause.message;
  return new LinkError(
    isMissing
      ? `There is no program "${program}" on this machine. Install the client of OpenSSH.`
      : `The ssh configuration of ${destination} cannot be read: ${why}`,
    { mayPass: false, cause },
  );
}
