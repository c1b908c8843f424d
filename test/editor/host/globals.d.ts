/** The `vscode` module of the extension host that the tests run in. */
declare var vscodeOfThisHost: unknown;
