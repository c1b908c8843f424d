import { expect, test } from 'vitest';
import { planRow } from '../../client/commands/plan-choices-model.ts';
import { foldersOf } from '../../client/folder-name.ts';
import { offeredTasks } from '../../client/logs/task-provider-model.ts';
import { saidLine } from '../../client/logs/terminal-text-model.ts';
import { codeText, plainText } from '../../client/markdown.ts';
import { panelTitle, planRows, runRow } from '../../client/pictures/picture-model.ts';
import { withoutIcons, withoutLinks } from '../../client/text-of-others.ts';
import { claimItems } from '../../client/views/claim-items-model.ts';
import { groupOf, GROUPINGS, groupRow } from '../../client/views/task-groups.ts';
import { whyItems } from '../../client/views/why-model.ts';
import { displayText } from '../../picture/display-text.ts';
import { graphFile } from '../../picture/graph-file.ts';
import { LIGHT } from '../../picture/palette.ts';
import * as server from '../../server/domain/display-text.ts';
import { taskViews } from '../support/task-views.ts';

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
  expect(withoutLinks('a\u202Etxt.yaml]\u200B(b')).toBe('a txt.yaml] (b');
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

/** It reads \"interlock\" backwards, hides a letter, clears a terminal and begins another line. */
const FORGED = '\u202Ekcolretni\u2066\u200B\u001B[2J\u2028.yaml';

test('a name that turns the direction of what follows, or cannot be seen, is shown as what it is', () => {
  const folderUri = `file:///projects/${encodeURIComponent(FORGED)}`;
  const views = ['file:///projects/b', folderUri].flatMap((uri) =>
    taskViews('a: idle').map((view) => ({ ...view, folderUri: uri, plan: FORGED })),
  );
  const [, first] = views;
  const twins = [...views, { ...views[1]!, plan: 'b.yaml' }];
  const groups = GROUPINGS.flatMap((grouping) => groupOf(first!, grouping) ?? []);
  const facts = { first: first!, size: 1, run: undefined, isSmall: true };
  const graph = { folderUri, plan: FORGED, width: 0, height: 0, nodes: [], edges: [] };
  const counts = { hiddenCount: 0, hiddenHazardCount: 0 };
  const colours = { palette: LIGHT };
  const shown = [
    ...groups.map((group) => groupRow(group, { ...facts, hasManyFolders: false })),
    ...groups.map((group) => groupRow(group, { ...facts, hasManyFolders: true })),
    foldersOf(views)(first!, FORGED),
    foldersOf([first!])(first!, FORGED),
    planRows(views).map(({ label, description }) => [label, description]),
    planRow({ path: FORGED, uri: '', hasErrors: false }, FORGED).label,
    panelTitle({ kind: 'graph', folderUri, plan: FORGED }),
    graphFile({ ...graph, ...counts }, { states: new Map(), colours }),
    offeredTasks(twins).map(({ label }) => label),
    [plainText(FORGED), codeText(FORGED)],
    saidLine(`There is no task in ${FORGED}.`)
      .replace('\u001B[3m', '')
      .replace('\u001B[0m\r\n', ''),
  ];
  const text = shown.map((each) => JSON.stringify(each)).join('\n');
  expect(text).not.toMatch(/\\u[0-9a-f]{4}|[\p{Cf}\p{Zl}]/iu);
  expect(text.split('kcolretni').length).toBeGreaterThan(15);
});

test('the server and the window have one rule for what is shown', () => {
  const all = Array.from({ length: 0x1_10_00 }, (_, code) => `a${String.fromCodePoint(code)}`).join(
    '',
  );
  for (const text of [all, ` ${FORGED}\n`, ''])
    expect(displayText(text)).toBe(server.displayText(text));
});
