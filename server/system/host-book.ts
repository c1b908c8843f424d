import { unwatchFile, watchFile } from 'node:fs';
import path from 'node:path';
import { displayText } from '../domain/display-text.ts';
import { type HostDefinition, readHosts } from '../domain/host.ts';
import { type HostText, readHostFile, writeHostFile } from './host-files.ts';

interface HostFolders {
  /** Where the user writes `hosts.json` by hand. */
  readonly config: string;
  /** Where it is kept what their editor says. */
  readonly state: string;
}

const LOOK_MS = 2000;

/**
 * The hosts of the user: those of the setting of their editor and those of their `hosts.json`. Where
 * both name one, the editor counts. Whoever has no editor goes by what an editor said last.
 */
export class HostBook {
  readonly #byHand: HostSource;
  readonly #ofEditor = new HostSource('the setting "interlock.hosts"');
  readonly #files: { readonly byHand: string; readonly ofEditor: string };
  readonly #lookMs: number;
  readonly #listeners = new Set<() => void>();
  /** There is an editor, and it says what counts. */
  #hasEditor = false;
  #hasRead = false;
  #hosts: readonly HostDefinition[] = [];
  #gone: readonly string[] = [];
  #problems: readonly string[] = [];

  constructor({ config, state }: HostFolders, lookMs = LOOK_MS) {
    this.#files = {
      byHand: path.join(config, 'hosts.json'),
      ofEditor: path.join(state, 'hosts-of-editor.json'),
    };
    this.#byHand = new HostSource(this.#files.byHand);
    this.#lookMs = lookMs;
  }

  get hosts(): readonly HostDefinition[] {
    this.#readOnce();
    return this.#hosts;
  }

  /** What those are called that never come back. They are not among the hosts. */
  get gone(): readonly string[] {
    this.#readOnce();
    return this.#gone;
  }

  get problems(): readonly string[] {
    this.#readOnce();
    return this.#problems;
  }

  /** The files are looked after as long as somebody listens. */
  onChanged(listener: () => void): Disposable {
    this.#readOnce();
    if (this.#listeners.size === 0)
      for (const file of Object.values(this.#files))
        watchFile(file, { interval: this.#lookMs, persistent: false }, this.#lookAgain);
    this.#listeners.add(listener);
    return {
      [Symbol.dispose]: () => {
        if (this.#listeners.delete(listener) && this.#listeners.size === 0)
          for (const file of Object.values(this.#files)) unwatchFile(file, this.#lookAgain);
      },
    };
  }

  configure(setting: unknown): void {
    this.#hasEditor = true;
    this.#ofEditor.read({ kind: 'said', value: setting });
    try {
      writeHostFile(this.#files.ofEditor, setting ?? {});
    } catch {
      // The command line knows of these hosts when it can be written again.
    }
    this.#readFiles();
  }

  readonly #lookAgain = (): void => this.#readFiles();

  #readOnce(): void {
    if (!this.#hasRead) this.#readFiles();
  }

  #readFiles(): void {
    this.#hasRead = true;
    this.#byHand.read(readHostFile(this.#files.byHand));
    if (!this.#hasEditor) this.#ofEditor.read(readHostFile(this.#files.ofEditor));
    const sources = [this.#byHand, this.#ofEditor];
    const named = sources.flatMap(({ hosts }) => hosts.map((host) => [host.name, host] as const));
    const all = [...new Map(named).values()];
    const hosts = all.filter(({ isGone }) => isGone !== true);
    const gone = all.flatMap(({ name, isGone }) => (isGone === true ? [name] : []));
    const problems = sources.flatMap((source) => source.problems);
    const [now, before] = [
      [hosts, gone, problems],
      [this.#hosts, this.#gone, this.#problems],
    ];
    if (JSON.stringify(now) === JSON.stringify(before)) return;
    this.#hosts = hosts;
    this.#gone = gone;
    this.#problems = problems;
    for (const listener of this.#listeners) listener();
  }
}

/** One place where hosts are named. Whatever is wrong in it leaves as it was what was known before. */
class HostSource {
  hosts: readonly HostDefinition[] = [];
  problems: readonly string[] = [];
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  read(text: HostText): void {
    if (text.kind === 'wrong') {
      this.problems = [text.message];
      return;
    }
    const { hosts, problems } = readHosts(text.kind === 'said' ? text.value : undefined);
    const wrong = new Set(problems.map(({ host }) => host));
    const kept = this.hosts.filter(({ name }) => wrong.has(undefined) || wrong.has(name));
    this.hosts = [...hosts, ...kept];
    this.problems = problems.map(({ host, message }) => {
      const what = host === undefined ? '' : `, "${displayText(host)}"`;
      return `In ${this.#name}${what}: ${message}`;
    });
  }
}
