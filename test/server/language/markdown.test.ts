import { expect, test } from 'vitest';
import { codeText, plainText } from '../../../server/language/markdown.ts';

const shown: readonly (readonly [text: string, markdown: string])[] = [
  [
    'Add users (v2), see https://a.example/b-c.html',
    'Add users (v2), see https://a.example/b-c.html',
  ],
  ['![x](https://a.example/p.png)', String.raw`!\[x\](https://a.example/p.png)`],
  ['[run](command:foo)', String.raw`\[run\](command:foo)`],
  ['<img src=x> &#91;', String.raw`\<img src=x\> \&#91;`],
  [String.raw`\[x]`, String.raw`\\\[x\]`],
  ['src/** a_b ~~c~~ `d`', String.raw`src/\*\* a\_b \~\~c\~\~ ` + '\\`d\\`'],
  ['# a\n# b', String.raw`\# a # b`],
  ['- a', String.raw`\- a`],
  ['12. a', String.raw`12\. a`],
  ['3d', '3d'],
];

for (const [text, markdown] of shown)
  test(`${JSON.stringify(text)} is shown as it is`, () => {
    expect(plainText(text)).toBe(markdown);
  });

const code: readonly (readonly [text: string, markdown: string])[] = [
  ['make', '`make`'],
  ['echo `date`', '`` echo `date` ``'],
  ['a `` ![x](y) ``', '``` a `` ![x](y) `` ```'],
  ['first\nsecond', '`first`'],
];

for (const [text, markdown] of code)
  test(`nothing of ${JSON.stringify(text)} gets out of its backticks`, () => {
    expect(codeText(text)).toBe(markdown);
  });
