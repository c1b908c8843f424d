import * as vscode from 'vscode';
import type { Part } from '../window.ts';
import { boardServers, type BoardServer } from './mcp-servers-model.ts';

/** By the Node.js that runs this: in a desktop editor, that is the editor itself. */
const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' };

/** Offers the tools of `interlock mcp` to the agents of the editor. */
export const mcpServers: Part = ({ context, tasks }) => {
  const changed = new vscode.EventEmitter<void>();
  const program = context.asAbsolutePath('dist/cli.js');
  const version = String(context.extension.packageJSON.version);
  const now = (): readonly BoardServer[] => {
    const { isTrusted, workspaceFolders = [] } = vscode.workspace;
    const folders = workspaceFolders.map(({ uri, name }) => {
      return { uri: uri.toString(), name, path: uri.fsPath };
    });
    return boardServers(folders, tasks.folders, { isTrusted, program });
  };
  let told = '';
  const look = (): void => {
    const text = JSON.stringify(now());
    if (text === told) return;
    told = text;
    changed.fire();
  };
  tasks.onChange(look);
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(look),
    vscode.lm.registerMcpServerDefinitionProvider('interlock.boards', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        now().map(
          ({ label, args }) =>
            new vscode.McpStdioServerDefinition(
              label,
              process.execPath,
              [...args],
              AS_NODE,
              version,
            ),
        ),
    }),
  );
  return {};
};
