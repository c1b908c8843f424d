import { didYouMean } from '../closest.ts';
import { INHERITED_NAMES, type Surroundings } from './surroundings.ts';

/** What a variable stands for. */
export type Meaning =
  | {
      readonly kind: 'known';
      readonly value: string;
      /** The same as a POSIX shell says it, without quotes, in a task of ours. */
      readonly expression: string;
    }
  /** None of the editor's: whoever runs the command may know it. */
  | { readonly kind: 'left'; readonly hint: string }
  | { readonly kind: 'editor-only'; readonly message: string };

const VARIABLE = /\$\{(.*?)\}/g;
/** Each line as far as its last brace: what is looked for behind it is looked for in vain, which takes long. */
const BRACED = /^.*\}/gm;

/** The text with something else in the place of each variable, in their order. */
export function withoutVariables(
  text: string,
  replace: (variable: {
    readonly name: string;
    readonly body: string;
    readonly at: number;
  }) => string,
): string {
  return text.replaceAll(BRACED, (line: string, start: number) =>
    line.replaceAll(VARIABLE, (name: string, body: string, index: number) =>
      replace({ name, body, at: start + index }),
    ),
  );
}

const OPEN_FILE = 'the file that is open there';
const SELECTION = 'what is selected there';

/** What only an editor can know, by the names of the variables. */
const OF_THE_EDITOR: ReadonlyMap<string, string> = new Map([
  ['file', OPEN_FILE],
  ['fileBasename', OPEN_FILE],
  ['fileBasenameNoExtension', OPEN_FILE],
  ['fileDirname', OPEN_FILE],
  ['fileDirnameBasename', OPEN_FILE],
  ['fileExtname', OPEN_FILE],
  ['fileWorkspaceFolder', OPEN_FILE],
  ['fileWorkspaceFolderBasename', OPEN_FILE],
  ['relativeFile', OPEN_FILE],
  ['relativeFileDirname', OPEN_FILE],
  ['selectedText', SELECTION],
  ['lineNumber', SELECTION],
  ['columnNumber', SELECTION],
  ['command', 'what one of its commands answers'],
  ['config', 'one of its settings'],
  ['defaultBuildTask', 'its default build task'],
  ['execPath', 'where it is installed'],
  ['extensionInstallFolder', 'where one of its extensions is'],
  ['input', 'what the user answers there'],
]);

const FOLDER_NAMES = new Set(['workspaceFolder', 'workspaceRoot', 'cwd']);
const BASENAME_NAMES = new Set(['workspaceFolderBasename', 'workspaceRootFolderName']);
const NAMES = [
  ...FOLDER_NAMES,
  ...BASENAME_NAMES,
  'userHome',
  'pathSeparator',
  ...OF_THE_EDITOR.keys(),
];
/** Of shorter names too many variables of shells are only a letter apart. */
const HINT_LENGTH = 8;

/** `body` is what stands between the braces. */
export function meaningOf(body: string, surroundings: Surroundings): Meaning {
  const [name = '', argument] = body.split(':');
  if (name === 'env' && argument !== undefined) return meaningOfEnvironment(argument, surroundings);
  const ofEditor = OF_THE_EDITOR.get(name);
  if (ofEditor !== undefined) {
    const message = `"\${${body}}" stands for ${ofEditor}, so only the editor can run this task.`;
    return { kind: 'editor-only', message };
  }
  const known = knownValue(name, surroundings);
  if (known === undefined) {
    const hint = name.length < HINT_LENGTH ? '' : didYouMean(name, NAMES);
    return { kind: 'left', hint };
  }
  if (argument === undefined || argument === basenameOf(surroundings)) return known;
  const message = `"${argument}" is another folder of the window, which this plan does not know.`;
  return { kind: 'editor-only', message };
}

function separatorOf({ platform }: Surroundings): string {
  return platform === 'windows' ? '\\' : '/';
}

function knownValue(name: string, surroundings: Surroundings): Meaning | undefined {
  if (FOLDER_NAMES.has(name))
    return { kind: 'known', value: surroundings.workspaceFolder, expression: '${INTERLOCK_BOARD}' };
  if (BASENAME_NAMES.has(name))
    return {
      kind: 'known',
      value: basenameOf(surroundings),
      expression: '${INTERLOCK_BOARD##*/}',
    };
  if (name === 'userHome')
    return { kind: 'known', value: surroundings.userHome, expression: '${HOME}' };
  if (name !== 'pathSeparator' && name !== '/') return undefined;
  const separator = separatorOf(surroundings);
  return { kind: 'known', value: separator, expression: separator };
}

function basenameOf({ workspaceFolder }: Surroundings): string {
  return workspaceFolder.split(/[/\\]/).at(-1) ?? '';
}

/**
 * Only what every task inherits: the rest of the environment, tokens among it, never reaches a task, and
 * never the files that a board keeps.
 */
function meaningOfEnvironment(name: string, { environment, platform }: Surroundings): Meaning {
  const asked = platform === 'windows' ? name.toUpperCase() : name;
  if (INHERITED_NAMES.includes(asked))
    return { kind: 'known', value: environment[asked] ?? '', expression: `\${${asked}}` };
  const message = `Tasks run in a clean environment, and "${name}" is not in it. What is: ${INHERITED_NAMES.join(', ')}.`;
  return { kind: 'editor-only', message };
}
