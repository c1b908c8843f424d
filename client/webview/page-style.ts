/** What is around a picture. The picture's own style is that of `picture/palette.ts`. */
export const PAGE_STYLE = `
html,body{height:100%;margin:0;padding:0;overflow:hidden}
body{display:flex;flex-direction:column;color:var(--vscode-foreground);
  background:var(--vscode-editor-background);font-family:var(--vscode-font-family);
  font-size:var(--vscode-font-size)}
.bar-of-tools{display:flex;flex-wrap:wrap;gap:4px;align-items:center;padding:6px 10px;
  border-bottom:1px solid var(--vscode-contrastBorder,var(--vscode-editorWidget-border))}
.heading{flex:1 1 220px;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.heading .more{color:var(--vscode-descriptionForeground);margin-left:8px}
input.filter{flex:0 1 170px;min-width:80px;padding:3px 6px;color:var(--vscode-input-foreground);
  background:var(--vscode-input-background);font:inherit;border-radius:2px;
  border:1px solid var(--vscode-input-border,var(--vscode-contrastBorder,transparent))}
input.filter::placeholder{color:var(--vscode-input-placeholderForeground)}
button{font:inherit;padding:3px 8px;cursor:pointer;border-radius:2px;
  color:var(--vscode-button-secondaryForeground,var(--vscode-foreground));
  background:var(--vscode-button-secondaryBackground,transparent);
  border:1px solid var(--vscode-contrastBorder,var(--vscode-button-border,transparent))}
button:hover{background:var(--vscode-button-secondaryHoverBackground,transparent)}
button[aria-pressed=true]{background:var(--vscode-inputOption-activeBackground);
  color:var(--vscode-inputOption-activeForeground);
  border-color:var(--vscode-inputOption-activeBorder)}
input.filter:focus,button:focus-visible,.picture:focus-visible{
  outline:1px solid var(--vscode-focusBorder);outline-offset:-1px}
.picture{flex:1 1 auto;min-height:0;position:relative;overflow:hidden;outline:none}
.picture.scrolls{overflow-y:auto}
.picture svg{display:block;position:sticky;top:0;left:0}
.picture.drawn-freely{cursor:grab;touch-action:none}
.picture.is-dragged{cursor:grabbing}
.picture [role=option]{cursor:pointer}
.ring{fill:none;stroke:var(--vscode-focusBorder);stroke-width:2}
.is-dim{opacity:.25}
.is-near .edge{stroke-width:2.2}
.is-far .more,.is-far .sign{display:none}
.is-far .node,.is-far .edge{vector-effect:non-scaling-stroke}
.is-far .edge{stroke-width:.7}
.is-farther .name{display:none}
.legend{flex:0 0 auto;max-height:64px;overflow-y:auto;display:flex;flex-wrap:wrap;gap:2px 14px;padding:4px 10px;font-size:11px;
  color:var(--vscode-descriptionForeground);
  border-top:1px solid var(--vscode-contrastBorder,var(--vscode-editorWidget-border))}
.legend span{display:inline-flex;align-items:center;gap:5px;white-space:nowrap}
.hint{position:fixed;max-width:420px;padding:4px 8px;pointer-events:none;z-index:9;
  color:var(--vscode-editorHoverWidget-foreground);
  background:var(--vscode-editorHoverWidget-background);overflow-wrap:anywhere;
  border:1px solid var(--vscode-contrastBorder,var(--vscode-editorHoverWidget-border));border-radius:3px}
.hint:empty{display:none}
.empty{padding:24px;max-width:560px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;
