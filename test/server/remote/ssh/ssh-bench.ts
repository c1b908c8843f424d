import { onTestFinished } from 'vitest';
import { type Channel, type Link, LinkError } from '../../../../server/remote/channel.ts';
import { sshLink, type SshLinkOptions } from '../../../../server/remote/ssh/ssh-link.ts';
import { Heard } from '../../../support/heard.ts';
import { Sshd, type SshdOptions } from '../../../support/sshd.ts';

/** One that goes with its test. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const sshd = await Sshd.start(options);
  onTestFinished(async () => await sshd.stop());
  return sshd;
}

export function linkTo(
  { configFile }: Pick<Sshd, 'configFile'>,
  { destination = 'box', ...options }: Partial<SshLinkOptions> & { destination?: string } = {},
): Link {
  const link = sshLink(destination, { env: process.env, configFile, ...options });
  onTestFinished(() => link.close());
  return link;
}

/** What a shell there answers to a line. */
export async function answer(link: Link, line = 'echo here'): Promise<string> {
  const channel: Channel = await link.open();
  const heard = new Heard(channel);
  channel.write(`${line}; exit\n`);
  await heard.why;
  return heard.text;
}

export async function refusal(link: Link): Promise<LinkError> {
  const found: unknown = await link.open().then(
    () => new Error('It was opened.'),
    (error: unknown) => error,
  );
  if (found instanceof LinkError) return found;
  throw found;
}

export function countLogins(sshd: Sshd): number {
  return sshd.log.split('\n').filter((line) => line.includes('Accepted publickey')).length;
}
