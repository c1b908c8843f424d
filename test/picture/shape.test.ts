import { expect, test } from 'vitest';
import { shape, toXml } from '../../picture/shape.ts';
import { fitText, textWidth } from '../../picture/text-width.ts';

test('what comes from a plan is never markup, and never breaks the document', () => {
  const hostile = '</text><script>alert("1")</script>&\u0000\u0007\uFFFE\uD800 ]]> \u202Eabc';
  expect(toXml(shape('text', { class: `a"'<` }, [hostile]))).toBe(
    '<text class="a&quot;&#39;&lt;">&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp; ]]&gt; \u202Eabc</text>',
  );
});

test('whole characters stay, whatever planes they are from', () => {
  expect(toXml(shape('text', {}, ['משימה 任务 😀']))).toBe('<text>משימה 任务 😀</text>');
});

test('a text that has no room ends with a sign for the rest', () => {
  expect(fitText('short', { size: 12, width: 100 })).toBe('short');
  const fitted = fitText('a long title that does not fit', { size: 12, width: 100 });
  expect(fitted).toMatch(/^a long t.*…$/);
  expect(textWidth(fitted, 12)).toBeLessThanOrEqual(100);
  expect(textWidth('任务', 12)).toBeGreaterThan(textWidth('ab', 12));
});
