import type { HostFacts } from './host-facts.ts';

/** What tasks may count on at a host without anybody saying so: `os:linux`, `arch:x86_64`, `tool:git`. */
export function probedCapabilities({
  system,
  tools,
  tmux,
}: Pick<HostFacts, 'system' | 'tools' | 'tmux'>): readonly string[] {
  const [os = '', arch = ''] = system.toLowerCase().split(' ');
  return [
    ...(os === '' ? [] : [`os:${os}`]),
    ...(arch === '' ? [] : [`arch:${arch}`]),
    ...(tmux === undefined ? [] : ['tool:tmux']),
    ...tools.map((tool) => `tool:${tool}`),
  ];
}
