import { expect, test } from 'vitest';
import { runRow } from '../../client/pictures/picture-model.ts';
import { withoutIcons, withoutLinks } from '../../client/text-of-others.ts';
import { claimItems } from '../../client/views/claim-items-model.ts';
import { whyItems } from '../../client/views/why-model.ts';

/** What the editor makes a link of in a message. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** What it makes a picture of, in the rows of a list to choose from. */
const ICON = /(\\)?\$\(([a-z\d-]+(?:~[a-z\d-]+)?)\)/gi;

function iconsIn(text: string): readonly string[] {
  return [...text.matchAll(ICON)].flatMap(([, escape, name]) =>
    escape === undefined && name !== undefined ? [name] : [],
  );
}

test('the name of a file is no link in a message', () => {
  const names = ['[Fix](command:a.b?%7B%7D)', '[[x](command:a)](command:b)', '[](](file:x)'];
  for (const name of names) expect(withoutLinks(name).match(LINK)).toBeNull();
  expect(withoutLinks('a[0] (of b)')).toBe('a[0] (of b)');
  expect(withoutLinks('a\u202Etxt.yaml]\u200B(b')).toBe('atxt.yaml] (b');
});

test('what others have written is no picture in a list', () => {
  expect(iconsIn(withoutIcons('$(pass) done $(sync~spin)$($(x))'))).toEqual([]);
  const [, claim] = claimItems([
    {
      folderUri: '',
      plan: '$(trash).yaml',
      id: 'a',
      title: '$(pass) done',
      isForPeople: true,
      isNew: false,
      waits: '$(error)',
    },
  ]);
  expect(iconsIn(Object.values(claim ?? {}).join(' '))).toEqual(['clock']);
  const action = { kind: 'clear', title: 'Ask $(pass)' } as const;
  const blocker = { key: '', kind: 'hazard', what: 'held by $(trash)', remedy: '$(x)', action };
  const [, why] = whyItems({ title: '', state: 'waiting', blockers: [blocker] }, 0);
  expect(iconsIn(`${why?.label} ${why?.detail}`)).toEqual(['lock', 'arrow-right']);
  const run = runRow(
    {
      folderUri: '',
      run: '',
      plan: '$(trash)',
      state: 'failed',
      requestedAt: 0,
      requestedBy: '$(pass)',
      taskCount: 1,
    },
    '$(trash)',
  );
  expect(iconsIn(`${run.label} ${run.detail}`)).toEqual(['error']);
});
