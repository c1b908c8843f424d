import type { Node } from 'jsonc-parser';
import { closest } from '../closest.ts';
import type { ProblemList } from '../yaml-document.ts';
import { insideOf, membersOf } from './json-document.ts';

const SYSTEMS = ['windows', 'linux', 'osx'];
const OF_COMMANDS = [
  'type',
  'command',
  'args',
  'options',
  'presentation',
  'problemMatcher',
  'isBackground',
  'promptOnClose',
  'group',
  ...SYSTEMS,
];
/** What editors know, old names among them; what they do not know may be somebody's own. */
const KEYS = {
  file: [...OF_COMMANDS, 'version', 'tasks', 'inputs'],
  task: [
    ...OF_COMMANDS,
    'label',
    'taskName',
    'identifier',
    'dependsOn',
    'dependsOrder',
    'isWatching',
    'runOptions',
    'detail',
    'icon',
    'hide',
  ],
  options: ['cwd', 'env', 'shell'],
  shell: ['executable', 'args', 'quoting'],
} as const;

/** A key is compared with all that there are, so only the first few that are none get a hint. */
const LOOKED_UP = 1000;

/** Finds keys that are nearly ones that an editor knows: it reads over them without a word. */
export class KeySlips {
  readonly #problems: ProblemList;
  #lookedUp = 0;

  constructor(problems: ProblemList) {
    this.#problems = problems;
  }

  /** In what is said of a command, and of each system. */
  lookAt(node: Node | undefined, of: 'file' | 'task'): void {
    this.#look(node, KEYS[of], of === 'task' ? 'a task' : 'a tasks.json');
    const members = membersOf(node);
    const parts = [node, ...SYSTEMS.map((system) => members.get(system)?.value)];
    for (const part of parts) {
      if (part !== node) this.#look(part, KEYS[of], 'a task');
      const options = membersOf(part).get('options')?.value;
      this.#look(options, KEYS.options, '"options"');
      this.#look(membersOf(options).get('shell')?.value, KEYS.shell, '"shell"');
    }
  }

  #look(node: Node | undefined, known: readonly string[], of: string): void {
    const members = membersOf(node);
    for (const [name, { key }] of members) {
      if (known.includes(name) || this.#lookedUp >= LOOKED_UP) continue;
      this.#lookedUp += 1;
      const meant = closest(name, known);
      // Where the other one is there as well, this one is not meant to be it: "comment", "command".
      if (meant === undefined || members.has(meant)) continue;
      const message = `"${name}" is no key of ${of}. Did you mean "${meant}"?`;
      this.#problems.warning('unknown-key', insideOf(key), message);
    }
  }
}
