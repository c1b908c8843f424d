import { styleOf } from '../../picture/palette.ts';
import { PAGE_STYLE } from '../webview/page-style.ts';
import { THEME } from '../webview/theme-palette.ts';

/**
 * The page of a picture: a script of ours, a style, and nothing else. Nothing of a plan is in it; that
 * comes as messages, and is shown as text.
 */
export function pageText(parts: {
  readonly nonce: string;
  readonly script: string;
  readonly language: string;
}): string {
  const { nonce, script, language } = parts;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${language.replaceAll(/[^\w-]/g, '')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${PAGE_STYLE}
${styleOf(THEME)}</style>
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
