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
  const one = (name: string): string => {
    const fact = all(name)[0] ?? '';
    if (fact.length > FACT_LENGTH)
      throw new UnfitMachine(`it says more than ${FACT_LENGTH} characters for its "${name}"`);
    return fact;
  };
  const count = (name: string, most: number): number =>
    Math.min(most, Math.max(0, Math.floor(Number(one(name)) || 0)));
  const folder = one('folder');
  // Each becomes part of what tmux is told.
  for (const name of ['node', 'boot', 'shell'])
    if (!WORD.test(one(name))) throw new UnfitMachine(`what it says for its "${name}" is no word`);
  if (!folder.startsWith('/')) throw new UnfitMachine('it does not say where its home folder is');
  return {
    node: one('node'),
    boot: one('boot'),
    folder,
    shell: one('shell'),
    system: one('system'),
    cpus: Math.max(1, count('cpus', MOST_CPUS)),
    memoryBytes: count('memory', MOST_MEMORY_BYTES),
    tmux: one('tmux') || undefined,
    tools: all('tool').filter((tool) => TOOLS.has(tool)),
    load: readLoad(lines),
  };
}

/** Longest path of Linux; everything else that a machine says of itself is much shorter. */
const FACT_LENGTH = 4096;
/** No machine has more, and one that says so must not be given all tasks. */
const MOST_CPUS = 4096;
const MOST_MEMORY_BYTES = 2 ** 50;
const WORD = /^[\w-]{0,64}$/;
/** What `il_facts` looks for. */
const TOOLS: ReadonlySet<string> = new Set(['git', 'rsync', 'docker', 'node', 'python3']);

export function readLoad(lines: readonly string[]): number {
  const line = lines.find((each) => each.startsWith('load '));
  const load = Number(line?.slice('load '.length));
  return Number.isFinite(load) && load >= 0 ? load : 0;
}
