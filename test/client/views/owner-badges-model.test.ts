import { expect, test } from 'vitest';
import { ownerBadge } from '../../../client/views/owner-badges-model.ts';

test('what others write is marked otherwise than what the person has themselves', () => {
  const sentences = ['claude-1 writes here for task "api"', 'You write here for task "review"'];
  expect(ownerBadge({ isOwn: false, isPart: false, sentences })).toEqual({
    badge: '✎',
    color: 'list.warningForeground',
    tooltip: 'claude-1 writes here for task "api" · You write here for task "review"',
  });
  expect(ownerBadge({ isOwn: true, isPart: false, sentences: [] }).badge).toBe('me');
  expect(ownerBadge({ isOwn: false, isPart: true, sentences: ['a writes here'] })).toMatchObject({
    badge: '•',
    tooltip: 'In this folder: a writes here',
  });
});
