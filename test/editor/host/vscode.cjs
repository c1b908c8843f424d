// What `import 'vscode'` means in a test that runs inside the extension host.
module.exports = globalThis.vscodeOfThisHost;
