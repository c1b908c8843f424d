/** What a message has to have for us to read it. */
type Need =
  | 'document'
  | 'position'
  | 'range'
  | 'positions'
  | 'text'
  | 'changes'
  | 'newName'
  | 'context'
  | 'marks'
  | 'query'
  | 'command'
  | 'folders'
  | 'files'
  | 'settings'
  | 'folder'
  | 'known';

const AT_POSITION: readonly Need[] = ['document', 'position'];
const IN_RANGE: readonly Need[] = ['document', 'range'];

const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  'textDocument/completion': AT_POSITION,
  'textDocument/hover': AT_POSITION,
  'textDocument/definition': AT_POSITION,
  'textDocument/references': [...AT_POSITION, 'context'],
  'textDocument/documentHighlight': AT_POSITION,
  'textDocument/prepareRename': AT_POSITION,
  'textDocument/rename': [...AT_POSITION, 'newName'],
  'textDocument/selectionRange': ['document', 'positions'],
  'textDocument/semanticTokens/range': IN_RANGE,
  'textDocument/inlayHint': IN_RANGE,
  'textDocument/rangeFormatting': IN_RANGE,
  'textDocument/codeAction': [...IN_RANGE, 'marks'],
  'textDocument/didOpen': ['document', 'text'],
  'textDocument/didChange': ['document', 'changes'],
  'workspace/symbol': ['query'],
  'workspace/executeCommand': ['command'],
  'workspace/diagnostic': ['known'],
  'workspace/didChangeWorkspaceFolders': ['folders'],
  'workspace/didChangeWatchedFiles': ['files'],
  'settings/changed': ['settings'],
  'doctor/examine': ['folder'],
};

/** Why the parameters of a message cannot be read; nothing if they can, or if nobody reads them. */
export function mistakeIn(method: string, params: unknown): string | undefined {
  const needs = NEEDS[method] ?? (method.startsWith('textDocument/') ? ['document' as const] : []);
  return needs
    .map((need) => SHAPES[need](recordOf(params)))
    .find((mistake) => mistake !== undefined);
}

type Fields = Readonly<Record<string, unknown>>;

const SHAPES: Readonly<Record<Need, (params: Fields) => string | undefined>> = {
  document: ({ textDocument }) =>
    unless(typeof recordOf(textDocument)['uri'] === 'string', '"textDocument" has a "uri"'),
  position: ({ position }) => unless(isPosition(position), `"position" has ${PLACE}`),
  range: ({ range }) => unless(isRange(range), `"range" has a "start" and an "end" with ${PLACE}`),
  positions: ({ positions }) =>
    unless(isList(positions, isPosition), `"positions" is a list; each has ${PLACE}`),
  text: ({ textDocument }) => {
    const { text, version } = recordOf(textDocument);
    return unless(
      typeof text === 'string' && typeof version === 'number',
      '"textDocument" has a "text" and a "version"',
    );
  },
  changes: ({ contentChanges }) =>
    unless(isList(contentChanges, isChange), '"contentChanges" is a list of texts'),
  newName: ({ newName }) => unless(typeof newName === 'string', '"newName" is a text'),
  context: ({ context }) => unless(isRecord(context), '"context" is an object'),
  marks: ({ context }) => {
    const { diagnostics, only } = recordOf(context);
    return unless(
      isList(diagnostics, isRecord) && (only === undefined || isList(only, isText)),
      '"context" has a list "diagnostics", and "only" is a list of texts',
    );
  },
  query: ({ query }) => unless(typeof query === 'string', '"query" is a text'),
  command: ({ command, arguments: args }) =>
    unless(
      typeof command === 'string' && (args === undefined || Array.isArray(args)),
      '"command" is a text, and "arguments" is a list',
    ),
  folders: ({ event }) => {
    const { added, removed } = recordOf(event);
    return unless(
      isList(added, hasUri) && isList(removed, hasUri),
      '"event" has lists "added" and "removed" of what has a "uri"',
    );
  },
  files: ({ changes }) => unless(isList(changes, hasUri), '"changes" is a list; each has a "uri"'),
  settings: ({ userName }) =>
    unless(userName === undefined || isText(userName), '"userName" is a text'),
  folder: ({ folderUri }) =>
    unless(folderUri === undefined || isText(folderUri), '"folderUri" is a text'),
  known: ({ previousResultIds }) =>
    unless(
      isList(previousResultIds, (one) => hasUri(one) && typeof one['value'] === 'string'),
      '"previousResultIds" is a list; each has a "uri" and a "value"',
    ),
};

const PLACE = 'a "line" and a "character", both counted from zero';

function unless(isRight: boolean, sentence: string): string | undefined {
  return isRight ? undefined : `${sentence}.`;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isList(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isPosition(value: unknown): boolean {
  const { line, character } = recordOf(value);
  return isCount(line) && isCount(character);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRange(value: unknown): boolean {
  const { start, end } = recordOf(value);
  return isPosition(start) && isPosition(end);
}

function isChange(value: unknown): boolean {
  const { text, range } = recordOf(value);
  return typeof text === 'string' && (range === undefined || isRange(range));
}

function hasUri(value: unknown): value is Fields {
  return typeof recordOf(value)['uri'] === 'string';
}
