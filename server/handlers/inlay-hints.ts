import type { InlayHint } from 'vscode-languageserver';
import { displayText } from '../domain/display-text.ts';
import { stateText } from '../language/state-text.ts';
import type { Feature } from './feature.ts';
import { fileOf } from '../plans/plan-source.ts';

/** How each task is, at the end of the line that its id is in. */
export const inlayHintFeature: Feature = {
  capabilities: () => ({ inlayHintProvider: true }),
  register(connection, workspace) {
    connection.languages.inlayHint.on(({ textDocument, range: { start, end } }): InlayHint[] => {
      const document = workspace.documentAt(textDocument.uri);
      if (document?.folder === undefined) return [];
      const { folder, plan, file, places } = document;
      const positions = places.positionsOf(file);
      return folder.board.tasksShown().flatMap(({ task, plan: { path }, status }) => {
        if (path !== plan.path || fileOf(task.idRange, plan) !== file) return [];
        const { line } = positions.at(task.idRange.start);
        const label = stateText(status.kind);
        if (label === undefined || line < start.line || line > end.line) return [];
        const position = positions.endOfLine(line);
        const tooltip = displayText(status.detail);
        return [{ position, label, paddingLeft: true, ...(tooltip !== '' && { tooltip }) }];
      });
    });
  },
};
