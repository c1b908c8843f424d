const KINDS = {
  codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } },
};
const DYNAMIC = { dynamicRegistration: true };

/** What editors say of themselves when they start a server, as far as it bears on ours. */
const NEOVIM = {
  general: { positionEncodings: ['utf-8', 'utf-16', 'utf-32'] },
  textDocument: {
    synchronization: { dynamicRegistration: false, willSave: true, didSave: true },
    diagnostic: { ...DYNAMIC, tagSupport: { valueSet: [1, 2] } },
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
    codeAction: { ...DYNAMIC, ...KINDS, isPreferredSupport: true, dataSupport: true },
    completion: { completionItem: { snippetSupport: true, insertReplaceSupport: true } },
    definition: { ...DYNAMIC, linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { lineFoldingOnly: true, foldingRangeKind: { valueSet: ['comment'] } },
    formatting: DYNAMIC,
    rangeFormatting: { ...DYNAMIC, rangesSupport: true },
    inlayHint: { ...DYNAMIC, resolveSupport: { properties: [] } },
    rename: { ...DYNAMIC, prepareSupport: true },
    semanticTokens: { requests: { range: false, full: { delta: true } }, formats: ['relative'] },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    workspaceEdit: { resourceOperations: ['rename', 'create', 'delete'] },
    didChangeWatchedFiles: { dynamicRegistration: false, relativePatternSupport: true },
  },
  window: { workDoneProgress: true, showMessage: { messageActionItem: {} } },
};

const HELIX = {
  general: { positionEncodings: ['utf-8', 'utf-32', 'utf-16'] },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, insertReplaceSupport: true } },
    hover: { contentFormat: ['markdown'] },
    rename: { dynamicRegistration: false, prepareSupport: true, honorsChangeAnnotations: false },
    formatting: { dynamicRegistration: false },
    codeAction: { ...KINDS, isPreferredSupport: true, disabledSupport: true, dataSupport: true },
    publishDiagnostics: { versionSupport: true, tagSupport: { valueSet: [1, 2] } },
    inlayHint: { dynamicRegistration: false },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    applyEdit: true,
    inlayHint: { refreshSupport: false },
    workspaceEdit: { documentChanges: true, failureHandling: 'abort' },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: false },
  },
  window: { workDoneProgress: true },
};

const EGLOT = {
  general: { positionEncodings: ['utf-32', 'utf-8', 'utf-16'] },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true },
    completion: { completionItem: { snippetSupport: false }, contextSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { dynamicRegistration: false, ...KINDS, isPreferredSupport: true },
    rename: { dynamicRegistration: false },
    publishDiagnostics: { relatedInformation: false, codeDescriptionSupport: false },
  },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: DYNAMIC,
  },
  window: { showDocument: { support: true } },
  experimental: {},
};

const ZED = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    definition: { linkSupport: true },
    codeAction: { ...KINDS, dataSupport: true },
    completion: { completionItem: { snippetSupport: true, labelDetailsSupport: true } },
    rename: { prepareSupport: true },
    hover: { contentFormat: ['markdown'] },
    publishDiagnostics: { relatedInformation: true },
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: true },
    formatting: DYNAMIC,
    rangeFormatting: DYNAMIC,
    synchronization: { didSave: true },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    // In the singular: that is how it goes over the wire there.
    diagnostic: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, snippetEditSupport: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  window: { workDoneProgress: true },
  experimental: { serverStatusNotification: true },
};

const VSCODE = {
  general: { positionEncodings: ['utf-16'], markdown: { parser: 'marked', version: '1.1.0' } },
  textDocument: {
    ...NEOVIM.textDocument,
    synchronization: { ...DYNAMIC, willSave: true, willSaveWaitUntil: true, didSave: true },
    diagnostic: { ...DYNAMIC, relatedDocumentSupport: true },
    documentLink: { ...DYNAMIC, tooltipSupport: true },
    foldingRange: { ...DYNAMIC, rangeLimit: 5000, lineFoldingOnly: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: false, dataSupport: true },
    selectionRange: DYNAMIC,
  },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    codeLens: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
    didChangeWatchedFiles: { ...DYNAMIC, relativePatternSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } },
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
  notebookDocument: { synchronization: { ...DYNAMIC, executionSummarySupport: true } },
};

const ONLY_PULLS = {
  textDocument: { diagnostic: {}, synchronization: {} },
  workspace: { diagnostics: { refreshSupport: true } },
};

/** Of kinds that the protocol does not have, in every place that somebody may look into. */
const WRONG = {
  general: null,
  textDocument: {
    codeAction: null,
    completion: 'yes',
    definition: [],
    diagnostic: null,
    foldingRange: { rangeLimit: 'many', lineFoldingOnly: 7 },
    rename: { prepareSupport: {} },
    documentSymbol: true,
  },
  workspace: { workspaceEdit: 3, codeLens: 'x', inlayHint: [], didChangeWatchedFiles: null },
  window: 'none',
};

const NESTED: unknown = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);

/** What may stand in "capabilities", by who says it. */
export const EDITORS: Readonly<Record<string, unknown>> = {
  'one that says nothing': {},
  Neovim: NEOVIM,
  Helix: HELIX,
  'Emacs with eglot': EGLOT,
  Zed: ZED,
  'VS Code': VSCODE,
  'one that only asks for problems': ONLY_PULLS,
  'one of the future': { textDocument: { telepathy: { depth: 3 } }, aura: true, workspace: {} },
  'one that gets it wrong': WRONG,
  'one whose groups are none': { textDocument: 'all', workspace: [1], general: 0, window: true },
  'one that nests too deep': { textDocument: NESTED, workspace: { workspaceEdit: NESTED } },
  'one that says null': null,
  'one that says a text': 'everything',
  'one that says a list': [],
  'one that counts in utf-8 only': { general: { positionEncodings: ['utf-8'] } },
};
