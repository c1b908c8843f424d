/** What a machine says of itself. */
export interface HostFacts {
  /** Of this machine for ever, whatever it is called. */
  readonly node: string;
  /** Of this start of it. */
  readonly boot: string;
  /** Where everything of this board is. */
  readonly folder: string;
  /** Which of its shells says so. */
  readonly shell: string;
  readonly system: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly tmux: string | undefined;
  readonly tools: readonly string[];
  /** How many want a processor, over the last minute. */
  readonly load: number;
}

/** The machine answers, and cannot be worked on. The message is a clause for the user. */
export class UnfitMachine extends Error {}

export function readFacts(status: number, lines: readonly string[]): HostFacts {
  if (status !== 0)
    throw new UnfitMachine('nothing can be written in its home folder, or a program is missing');
  const all = (name: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const one = (name: string): string => all(name)[0] ?? '';
  const count = (name: string): number => Math.max(0, Math.floor(Number(one(name)) || 0));
  const folder = one('folder');
  if (!folder.startsWith('/')) throw new UnfitMachine('it does not say where its home folder is');
  return {
    node: one('node'),
    boot: one('boot'),
    folder,
    shell: one('shell'),
    system: one('system'),
    cpus: Math.max(1, count('cpus')),
    memoryBytes: count('memory'),
    tmux: one('tmux') || undefined,
    tools: all('tool'),
    load: readLoad(lines),
  };
}

export function readLoad(lines: readonly string[]): number {
  const line = lines.find((each) => each.startsWith('load '));
  const load = Number(line?.slice('load '.length));
  return Number.isFinite(load) && load >= 0 ? load : 0;
}
