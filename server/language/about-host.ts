import type { HostDefinition } from '../domain/host.ts';
import { type HostNames, noSuchHost } from '../plans/host-problems.ts';
import { codeText, plainText } from './markdown.ts';

const SYNCS: Readonly<Record<HostDefinition['sync'], string>> = {
  none: 'nothing is sent there: all tasks share its folder',
  git: 'files get there by git, into a tree of its own for each attempt',
  rsync: 'files get there by rsync, into a tree of its own for each attempt',
};

/** What the user's settings say of a host, in Markdown. */
export function aboutHost(
  name: string,
  known: Pick<HostNames, 'gone'> & { readonly hosts: readonly HostDefinition[] },
): string {
  const host = known.hosts.find((one) => one.name === name);
  if (host === undefined) return plainText(noSuchHost(name, known));
  const { ssh, folder, sync, slots, capabilities } = host;
  const lines = [
    `${codeText(`ssh ${ssh}`)}, in ${codeText(folder)}`,
    SYNCS[sync],
    slots === undefined ? 'as many tasks at once as it has processors' : `${slots} tasks at once`,
    capabilities.length === 0 ? '' : `can ${capabilities.map(codeText).join(', ')}`,
  ];
  const list = lines.filter((line) => line !== '').map((line) => `- ${line}`);
  return [`**${plainText(name)}** is one of your hosts.`, list.join('\n')].join('\n\n');
}
