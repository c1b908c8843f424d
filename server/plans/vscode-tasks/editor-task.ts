import type { Node } from 'jsonc-parser';
import { didYouMean } from '../closest.ts';
import type { Mention, TextRange } from '../plan.ts';
import type { Fillings } from './fillings.ts';
import { insideOf, itemsOf, type Member, membersOf, rangeOfNode } from './json-document.ts';
import { type Options, readOptions, withDefaults, withOverride } from './options.ts';
import type { Reading } from './reading.ts';
import type { Quoting, Word } from './shell-line.ts';

/** A task as an editor reads it, with the settings for this system. */
export interface EditorTask {
  readonly label: string;
  readonly labelRange: TextRange;
  readonly range: TextRange;
  /** What an extension of the editor would run. */
  readonly contributed: Contributed | undefined;
  readonly isBackground: boolean;
  readonly isDefaultBuild: boolean;
  readonly kind: 'shell' | 'process';
  /** Absent: it only has others run. */
  readonly command: Word | undefined;
  readonly args: readonly Word[];
  readonly options: Options;
  readonly fillings: Fillings;
  readonly dependsOn: readonly Mention[];
  /** Where it says that these run one after the other. */
  readonly sequence: TextRange | undefined;
}

export interface Contributed {
  readonly type: string;
  /** Of npm's: which script, and of which folder. */
  readonly script: string | undefined;
  readonly path: string | undefined;
}

/** What the file says of all tasks. */
export interface OfAll {
  readonly type: string | undefined;
  /** Read anew for each task that takes them. */
  readonly options: readonly (Node | undefined)[];
}

type Members = ReadonlyMap<string, Member>;

/** Nothing of what has no label: nobody can ask for it. */
export function readEditorTask(node: Node, ofAll: OfAll, reading: Reading): EditorTask | undefined {
  if (node.type !== 'object') {
    reading.problems.error('wrong-type', rangeOfNode(node), 'A task is an object: { "label": … }.');
    return undefined;
  }
  const members = membersOf(node);
  const label = members.get('label')?.value ?? members.get('taskName')?.value;
  const contributed = contributedIn(members);
  if (label === undefined || label.type !== 'string' || label.value === '') {
    if (contributed !== undefined) sayContributed(members, contributed, reading);
    else {
      const rule = 'A task needs a "label": others name it by that.';
      reading.problems.error('wrong-type', rangeOfNode(label ?? node), rule);
    }
    return undefined;
  }
  if (contributed !== undefined) sayContributed(members, contributed, reading);
  const background = members.get('isBackground') ?? members.get('isWatching');
  const isBackground = background?.value.value === true;
  if (isBackground && background !== undefined && contributed === undefined)
    reading.editorOnly(background.value, `"${String(label.value)}" ${GOES_ON}`);
  const own = readCommand(
    node,
    { isRead: contributed === undefined && !isBackground, ofAll },
    reading,
  );
  return {
    label: String(label.value),
    labelRange: insideOf(label),
    range: rangeOfNode(node),
    contributed,
    isBackground,
    isDefaultBuild: isDefaultBuild(members.get('group')?.value),
    ...own,
    fillings: reading.fillings,
    dependsOn: readDependsOn(members.get('dependsOn')?.value, reading),
    sequence: readOrder(members.get('dependsOrder')?.value, reading),
  };
}

const GOES_ON =
  'goes on until it is stopped, and only the editor can tell when it is ready, so only the editor can run it.';

/** What is said to whoever knows how to run tasks of its type. */
export function contributedIn(members: Members): Contributed | undefined {
  const customized = textIn(members, 'customize');
  const type = customized ?? textIn(members, 'type');
  if (type === undefined) return undefined;
  if (customized === undefined && ['shell', 'process', '$customized'].includes(type))
    return undefined;
  return { type, script: textIn(members, 'script'), path: textIn(members, 'path') };
}

function textIn(members: Members, key: string): string | undefined {
  const node = members.get(key)?.value;
  return node?.type === 'string' ? String(node.value) : undefined;
}

function sayContributed(members: Members, { type }: Contributed, reading: Reading): void {
  const said = (members.get('customize') ?? members.get('type'))?.value;
  if (said === undefined) return;
  const hint = didYouMean(type, ['shell', 'process']);
  const message = `Tasks of the type "${type}" come with an extension, so only the editor can run this one.${hint}`;
  if (hint === '') reading.editorOnly(said, message);
  else reading.problems.warning('editor-only', rangeOfNode(said), message);
}

type OwnCommand = Pick<EditorTask, 'kind' | 'command' | 'args' | 'options'>;

const NO_COMMAND: OwnCommand = { kind: 'process', command: undefined, args: [], options: {} };

function readCommand(
  node: Node,
  { isRead, ofAll }: { readonly isRead: boolean; readonly ofAll: OfAll },
  reading: Reading,
): OwnCommand {
  if (!isRead) return NO_COMMAND;
  const members = membersOf(node);
  const override = membersOf(members.get(reading.surroundings.platform)?.value);
  const find = (key: string): Node | undefined => (override.get(key) ?? members.get(key))?.value;
  const [command, args] = [find('command'), find('args')];
  const options = withOverride(
    readOptions(members.get('options')?.value, reading),
    readOptions(override.get('options')?.value, reading),
  );
  const type = find('type');
  const word = type === undefined ? ofAll.type : reading.text(type, '"type"');
  if (command === undefined && !members.has('dependsOn')) {
    const rule = 'This task has neither a "command" nor a "dependsOn".';
    reading.problems.error('wrong-type', rangeOfNode(node), rule);
  }
  return {
    kind: word === 'shell' ? 'shell' : 'process',
    command: command && readWord(command, '"command"', reading),
    args: args === undefined ? [] : readArguments(args, reading),
    options: withDefaults(options, readOptionsOfAll(ofAll, reading.silent())),
  };
}

export function readOptionsOfAll({ options: nodes }: OfAll, reading: Reading): Options {
  return nodes
    .map((node) => readOptions(node, reading))
    .reduce((options, override) => withOverride(options, override), {});
}

function readArguments(node: Node, reading: Reading): readonly Word[] {
  if (node.type === 'array')
    return itemsOf(node).flatMap((item) => readWord(item, 'An argument', reading) ?? []);
  reading.problems.error('wrong-type', rangeOfNode(node), '"args" is a list of texts.');
  return [];
}

/** A text, or one with the way in which it is to be quoted. */
function readWord(node: Node, what: string, reading: Reading): Word | undefined {
  if (node.type !== 'object') return reading.word(node, what);
  const members = membersOf(node);
  const value = members.get('value')?.value;
  const word = value && reading.word(value, '"value"');
  if (word !== undefined) return { ...word, quoting: quotingIn(members) };
  if (value === undefined) {
    const rule = `${what} is a text, or { "value": …, "quoting": … }.`;
    reading.problems.error('wrong-type', rangeOfNode(node), rule);
  }
  return undefined;
}

function quotingIn(members: Members): Quoting {
  const word = String(members.get('quoting')?.value.value).toLowerCase();
  return word === 'escape' || word === 'weak' ? word : 'strong';
}

function isDefaultBuild(node: Node | undefined): boolean {
  const members = membersOf(node);
  return (
    members.get('kind')?.value.value === 'build' && members.get('isDefault')?.value.value === true
  );
}

function readDependsOn(node: Node | undefined, reading: Reading): readonly Mention[] {
  if (node === undefined) return [];
  const mentions = new Map<string, Mention>();
  for (const item of node.type === 'array' ? itemsOf(node) : [node]) {
    if (item.type === 'object') {
      reading.editorOnly(item, 'This names a task by its type, which only the editor can look up.');
      continue;
    }
    const text = reading.text(item, '"dependsOn"');
    if (text === undefined) continue;
    if (!mentions.has(text)) mentions.set(text, { text, range: insideOf(item) });
    else
      reading.problems.warning(
        'contradiction',
        insideOf(item),
        `"${text}" is here twice, and runs once.`,
      );
  }
  return [...mentions.values()];
}

function readOrder(node: Node | undefined, reading: Reading): TextRange | undefined {
  if (node === undefined || node.value === 'parallel') return undefined;
  if (node.value === 'sequence') return insideOf(node);
  const rule = '"dependsOrder" is parallel or sequence.';
  const hint = didYouMean(String(node.value), ['parallel', 'sequence']);
  reading.problems.error('wrong-type', rangeOfNode(node), `${rule}${hint}`);
  return undefined;
}
