import { expect, test } from 'vitest';
import { ownerBadge } from '../../../client/views/owner-badges-model.ts';

test('what others write is marked otherwise than what the person has themselves', () => {
  const sentences = ['claude-1 writes here for task "api"', 'You write here for task "review"'];
  expect(ownerBadge({ isOwn: false, sentences })).toEqual({
    badge: '✎',
    color: 'list.warningForeground',
    tooltip: 'claude-1 writes here for task "api" · You write here for task "review"',
  });
  expect(ownerBadge({ isOwn: true, sentences: [] }).badge).toBe('me');
});
