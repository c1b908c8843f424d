import { createConnection, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** Answers every change with one fixed diagnostic: what the protocol costs whoever knows nothing. */
const connection = createConnection(process.stdin, process.stdout);
const documents = new TextDocuments(TextDocument);
const start = { line: 0, character: 0 };
const diagnostics = [{ message: 'This is always so.', range: { start, end: start } }];

connection.onInitialize(() => ({
  capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental },
}));
documents.onDidChangeContent(({ document: { uri } }) => {
  void connection.sendDiagnostics({ uri, diagnostics });
});
documents.listen(connection);
connection.listen();
