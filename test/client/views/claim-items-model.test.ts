import { expect, test } from 'vitest';
import { claimItems } from '../../../client/views/claim-items-model.ts';

const task = { folderUri: 'file:///p', plan: 'interlock.yaml', title: '', isNew: false, waits: '' };

test('what is for people has a section of its own, and each row says what is in its way', () => {
  const items = claimItems([
    { ...task, id: 'review', title: 'Read it', isForPeople: true },
    { ...task, id: 'later', isForPeople: true, waits: 'waits for api' },
    { ...task, id: 'notes', isForPeople: false, isNew: true },
    { ...task, id: 'other', isForPeople: false, isNew: true, waits: 'waits for a run' },
  ]);
  expect(items.map(({ label, description }) => `${label}: ${description}`)).toEqual([
    'for people: ',
    '$(person) review: can be claimed now',
    '$(clock) later: waits for api',
    'for anybody: ',
    '$(circle-outline) notes: not asked for yet: claiming it runs what it needs',
    '$(clock) other: waits for a run',
  ]);
  expect(items[1]?.detail).toBe('Read it · interlock.yaml');
});

test('tasks of several folders say which folder they are of', () => {
  const other = { ...task, folderUri: 'file:///q' };
  const items = claimItems(
    [task, other].map((one) => ({ ...one, id: 'review', isForPeople: true })),
  );
  expect(items.map(({ detail }) => detail)).toEqual([
    '',
    'p · interlock.yaml',
    'q · interlock.yaml',
  ]);
});

test('where nothing is there, there are no sections', () => {
  expect(claimItems([])).toEqual([]);
});
