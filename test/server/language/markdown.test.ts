import { expect, test } from 'vitest';
import {
  codeBlock,
  codeText,
  plainText,
  withoutMarkdown,
} from '../../../server/language/markdown.ts';

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

const blocks: readonly (readonly [text: string, markdown: string])[] = [
  ['a\n  b\n', '```sh\na\n  b\n```'],
  ['a\n```\n![x](y)', '````sh\na\n```\n![x](y)\n````'],
  ['a\r\n\u202Eb', '```sh\na\nb\n```'],
  ['1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11', '```sh\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n…\n```'],
];

for (const [text, markdown] of blocks)
  test(`nothing of ${JSON.stringify(text)} gets out of its fences`, () => {
    expect(codeBlock(text, 'sh')).toBe(markdown);
  });

for (const [text, markdown] of [...shown, ...code])
  test(`${JSON.stringify(markdown)} says the same without its marks`, () => {
    const line = text.replace('# a\n# b', '# a # b').split('\n')[0];
    expect(withoutMarkdown(markdown)).toBe(line);
  });

for (const [, markdown] of blocks)
  test(`${JSON.stringify(markdown)} says the same without its fences`, () => {
    const lines = markdown.split('\n').slice(1, -1).join('\n');
    expect(withoutMarkdown(`\\*\n\n${markdown}\n\n\\*`)).toBe(`*\n\n${lines}\n\n*`);
  });

test('bold text and examples lose their marks, and no more', () => {
  const markdown = '**a\\_b** — `x`\n\n- one\n\n```yaml\nenv: { A: "**" }\n```';
  expect(withoutMarkdown(markdown)).toBe('a_b — x\n\n- one\n\nenv: { A: "**" }');
});
