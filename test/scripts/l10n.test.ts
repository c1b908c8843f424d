import { expect, test } from 'vitest';
import { bundleOf, textsOf } from '../../scripts/l10n.mjs';

interface Expected {
  readonly texts?: readonly string[];
  /** As `line why`. */
  readonly strays?: readonly string[];
}

/** What is found in one file of the client. */
function check(name: string, source: string, { texts = [], strays = [] }: Expected): void {
  test(name, () => {
    const found = textsOf(new Map([['client/planted.ts', source]]));
    expect(found.texts).toEqual(texts);
    expect(found.strays.map(({ line, why }) => `${line} ${why}`)).toEqual(strays);
  });
}

check('texts come in their order, each once', "l10n.t('b');\nl10n.t('a {0}', x);\nl10n.t('b');", {
  texts: ['a {0}', 'b'],
});
check('a text may be put together from several', "l10n.t('one ' + 'two');", { texts: ['one two'] });
check('what is worked out is no text', '\nl10n.t(word);', {
  strays: ['2 l10n.t() is given something else than a text'],
});
check('a text with something in it is no text', 'l10n.t(`${x} tasks`);', {
  strays: ['1 l10n.t() is given something else than a text'],
});
check('a message goes through l10n', "vscode.window.showWarningMessage('Oh no');", {
  strays: ['1 showWarningMessage() is given a text that does not come from l10n.t()'],
});
check('so does one with something in it', 'vscode.window.showErrorMessage(`No ${x} found`);', {
  strays: ['1 showErrorMessage() is given a text that does not come from l10n.t()'],
});
check('and what a property shows', "const item = { placeHolder: 'Which one?', command: 'a.b' };", {
  strays: ['1 "placeHolder" is a text that does not come from l10n.t()'],
});
check('icons, values and the name of the product are no words', shownAsItIs(), {});

test('the words of pictures are read by people too', () => {
  const found = textsOf(new Map([['picture/planted.ts', "l10n.t('waits');"]]));
  expect(found.texts).toEqual(['waits']);
});

test('files that are not the client are left alone', () => {
  const found = textsOf(
    new Map([['server/planted.ts', "showErrorMessage('Oh no'); l10n.t('a');"]]),
  );
  expect(found).toEqual({ texts: [], strays: [] });
});

test('the bundle is what translators start from', () => {
  expect(bundleOf(['a'])).toBe('{\n  "a": "a"\n}\n');
});

function shownAsItIs(): string {
  return [
    'vscode.window.setStatusBarMessage(`$(sync~spin) ${text}`, 5);',
    'const item = { tooltip: `Interlock: ${text}`, title };',
    'vscode.window.showErrorMessage(message);',
  ].join('\n');
}
