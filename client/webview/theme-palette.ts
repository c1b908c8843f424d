import type { Palette } from '../../picture/palette.ts';

/** The colours of the user's theme. A theme of high contrast has lines where others have colours. */
export const THEME: Palette = {
  font: 'var(--vscode-font-family)',
  background: 'var(--vscode-editor-background)',
  foreground: 'var(--vscode-editor-foreground)',
  muted: 'var(--vscode-descriptionForeground)',
  grid: 'var(--vscode-contrastBorder, var(--vscode-editorWidget-border))',
  node: 'var(--vscode-editorWidget-background)',
  contrast: 'var(--vscode-contrastBorder, transparent)',
  focus: 'var(--vscode-focusBorder)',
  running: 'var(--vscode-charts-blue)',
  completed: 'var(--vscode-charts-green)',
  failed: 'var(--vscode-charts-red)',
  attention: 'var(--vscode-charts-yellow)',
};
