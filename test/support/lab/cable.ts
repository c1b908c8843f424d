import { execFileSync, spawnSync } from 'node:child_process';
import type { Direction, LabCable } from './lab-host.ts';
import { LabProcess } from './lab-process.ts';

/** The network of one host, and the only way between it and us. */
export class Cable implements LabCable {
  /** Of the host. */
  readonly address: string;
  /** Of our end. */
  readonly name: string;
  readonly #holder: LabProcess;

  private constructor(holder: LabProcess, slot: number) {
    this.#holder = holder;
    this.name = `il-lab${slot}`;
    this.address = addressOf(slot, 2);
  }

  static async open(): Promise<Cable> {
    const holder = new LabProcess('unshare', [
      '--net',
      'sh',
      '-c',
      'ip link set lo up && echo up && read -r _',
    ]);
    await holder.said('up');
    const cable = new Cable(holder, makeLink(holder.pid));
    cable.#inside('ip', ['link', 'set', DEVICE, 'up']);
    return cable;
  }

  /** A path that stays for as long as the cable. */
  get namespace(): string {
    return `/proc/${this.#holder.pid}/ns/net`;
  }

  cut(direction: Direction = 'both'): void {
    this.#lose('drop', direction);
  }

  lose(percent: number, direction: Direction = 'both'): void {
    this.#lose(`numgen random mod 100 < ${percent} drop`, direction);
  }

  forget(): void {
    const args = ['-Htn', 'state', 'established', 'sport', '=', ':22'];
    const lines = this.#inside('ss', args).trim().split('\n');
    const ports = lines.map((line) => line.slice(line.lastIndexOf(':') + 1).trim()).join(', ');
    this.#filter({ input: `tcp sport { ${ports} } drop`, output: `tcp dport { ${ports} } drop` });
  }

  mend(): void {
    this.#inside('nft', ['flush', 'ruleset']);
  }

  /** Its other end goes with the last process that has it. */
  async close(): Promise<void> {
    spawnSync('ip', ['link', 'delete', this.name], { stdio: 'ignore' });
    await this.#holder.kill();
  }

  #lose(what: string, direction: Direction): void {
    this.#filter({
      ...(direction !== 'back' && { input: `iifname ${DEVICE} ${what}` }),
      ...(direction !== 'there' && { output: `oifname ${DEVICE} ${what}` }),
    });
  }

  #filter(rules: Readonly<Partial<Record<'input' | 'output', string>>>): void {
    const chains = Object.entries(rules).map(
      ([hook, rule]) => `chain ${hook} { type filter hook ${hook} priority 0; ${rule}; }`,
    );
    const table = `table inet lab {\n${chains.join('\n')}\n}\n`;
    this.#inside('nft', ['-f', '-'], `flush ruleset\n${table}`);
  }

  #inside(file: string, args: readonly string[], input = ''): string {
    const all = [`--net=${this.namespace}`, file, ...args];
    return execFileSync('nsenter', all, { input, stdio: 'pipe', encoding: 'utf8' });
  }
}

/** What the host calls its end. */
const DEVICE = 'wire0';

/** How many labs there can be at the same time, of one host each. */
const SLOTS = 8192;

/** Answers which of the names and addresses is ours: whoever makes the link first has them. */
function makeLink(pid: number): number {
  const first = pid % SLOTS;
  for (let at = 0; at < SLOTS; at += 1) {
    const slot = (first + at) % SLOTS;
    const name = `il-lab${slot}`;
    const args = ['link', 'add', name, 'type', 'veth', 'peer', 'name', DEVICE, 'netns', `${pid}`];
    const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
    if (status !== 0 && stderr.includes('File exists')) continue;
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
    execFileSync('ip', ['address', 'add', `${addressOf(slot, 1)}/30`, 'dev', name]);
    execFileSync('ip', ['link', 'set', name, 'up']);
    const inside = ['address', 'add', `${addressOf(slot, 2)}/30`, 'dev', DEVICE];
    execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, 'ip', ...inside]);
    return slot;
  }
  throw new Error('There is no free name for a link.');
}

/** Of the addresses that are kept for measuring networks: nothing else is there. */
function addressOf(slot: number, end: 1 | 2): string {
  const number = slot * 4 + end;
  return `198.18.${number >> 8}.${number & 255}`;
}
