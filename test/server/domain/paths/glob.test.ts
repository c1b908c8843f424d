import { expect, test } from 'vitest';
import { parseGlob, type Part, type Segment } from '../../../../server/domain/paths/glob.ts';

/** The alternatives of a pattern, written as patterns again; or the sentence that refuses it. */
function readBack(text: string): string {
  const result = parseGlob(text);
  if (result.kind === 'refused') return result.message;
  return result.glob.alternatives.map((all) => all.map(segmentText).join('/')).join(' ');
}

function segmentText(segment: Segment): string {
  return segment.kind === 'globstar' ? '**' : segment.parts.map(partText).join('');
}

function partText(part: Part): string {
  if (part.kind === 'literal') return part.text;
  if (part.kind === 'one') return '?';
  if (part.kind === 'many') return '*';
  const ranges = part.ranges.map(([first, last]) =>
    first === last
      ? String.fromCodePoint(first)
      : `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`,
  );
  return `[${part.negated ? '!' : ''}${ranges.join(',')}]`;
}

function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(readBack(text)).toBe(expected);
  });
}

check('a path that looks like a file stands for itself', 'src/a.ts', 'src/a.ts');
check('any other path without wildcards is everything below it', 'src/*/gen', 'src/*/gen/**');
check('a name that starts or ends with "." has no extension', '{.github,a.}', '.github/** a./**');
check('a class of one character is that character', 'app/[[]id]', 'app/[id]/**');
check('wildcards are told apart from letters', 's?c/*.ts', 's?c/*.ts');
check('"**" is any number of folders only when it is a whole name', '**/a**b/**', '**/a**b/**');
check('a path that ends with "/" is everything below it', 'src/', 'src/**');
check('"." is left out', './src/./a/.', 'src/a/**');
check('"./" is everything', './', '**');
check('letters outside of the basic plane are one character', '[😀-😂]😁', '[😀-😂]😁');

check('a class lists letters and ranges', '[a-cxz-y]', '[a-c,x,y-z]');
check('"!" takes a class the other way around', '[!a]', '[!a]');
check('"^" does too', '[^a]', '[!a]');
check('"-" at either end of a class is itself', '[-a-]', '[-,a,-]');
check('"]" right after "[" is itself', '[]a]', '[],a]');
check('"]" right after "[!" is itself', '[!]a]', '[!],a]');
check('a class keeps braces and commas', '[{,}]', '[{,,,}]');
check('a class inside of braces keeps its comma', '{[a,b],c}', '[a,,,b] c/**');

check('braces are alternatives', '{a,b}', 'a/** b/**');
check('braces keep what is around them', 'x{a,b}y/z', 'xay/z/** xby/z/**');
check('braces may contain slashes', 'src/{a/b,c/**}', 'src/a/b/** src/c/**');
check('braces may be nested', '{a,b{c,d{e,f}}}', 'a/** bc/** bde/** bdf/**');
check('two pairs of braces multiply', '{a,b}{c,d}', 'ac/** ad/** bc/** bd/**');
check('a choice may be empty', 'a{,b}', 'a/** ab/**');
check('braces with one choice are that choice', '{a}', 'a/**');
check('a comma outside of braces is itself', 'a,b', 'a,b/**');

const UNBALANCED = 'A "{" and its "}" belong together; put a "[{]" for the character itself.';
const TOO_MANY = '"{…}" may stand for at most 64 alternatives in one pattern.';
const LEAVES = 'A path cannot leave the workspace folder with "..".';

check('a brace that is not closed is refused', '{a,b', UNBALANCED);
check('a brace that is not opened is refused', 'a}', UNBALANCED);
check('nested braces are closed one by one', '{a,{b}', UNBALANCED);
check(
  'a class that is not closed is refused',
  'a[b',
  'A "[" has no "]"; put a "[[]" for the character itself.',
);
check(
  'a class does not reach over a slash',
  '[a/b]',
  'A "[" has no "]"; put a "[[]" for the character itself.',
);
check('"[]" is not closed', '[]', 'A "[" has no "]"; put a "[[]" for the character itself.');
check('"[!]" is not closed', '[!]', 'A "[" has no "]"; put a "[[]" for the character itself.');
check('an empty pattern is refused', '', 'A path is empty.');
check('an empty choice that leaves nothing is refused', '{,a}', 'A path is empty.');
check('"." alone is refused', '.', 'Write "**" for the whole workspace folder.');
check('".." is refused', 'a/../b', LEAVES);
check('".." is refused in a choice', 'a/{b,..}', LEAVES);
check('".." is refused when braces put it together', '{.,a}./b', LEAVES);
check(
  'an absolute path is refused',
  '/a',
  'Paths are relative to the workspace folder: no leading "/", "~" or drive letter.',
);
check('a backslash is refused', 'a\\b', 'Write "/" between folders, on every system.');
check('two slashes are refused', 'a//b', 'A path has two slashes in a row.');
check('a NUL is refused', 'a\0', 'A path cannot contain a NUL character.');
check('a pattern of 1024 characters is read', 'x'.repeat(1024), `${'x'.repeat(1024)}/**`);
check('a longer one is refused', 'x'.repeat(1025), 'A path pattern has at most 1024 characters.');

test('64 alternatives are read', () => {
  expect(readBack('{0,1}'.repeat(6)).split(' ')).toHaveLength(64);
});
check('65 alternatives are refused', `{${'x,'.repeat(64)}x}`, TOO_MANY);
check('braces that multiply without end are refused', '{a,b}'.repeat(200), TOO_MANY);
check(
  'braces that multiply a long pattern are refused',
  `{${'x,'.repeat(63)}x}${'y'.repeat(800)}`,
  '"{…}" may make one pattern stand for at most 8192 characters.',
);
check('deeply nested braces are read', `${'{'.repeat(500)}a${'}'.repeat(500)}`, 'a/**');
