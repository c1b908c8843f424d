import { expect, test } from 'vitest';
import { Play } from './board-play.ts';
import { play, type Story, tell } from './board-script.ts';
import { decisionsText } from './decision-text.ts';

/** What the last step of a story says. */
export function checkLast(name: string, [text, script]: Story, expected: string): void {
  test(name, () => {
    expect(tell(text, script)).toBe(expected);
  });
}

/**
 * What happens on a board, one step a line, and behind an arrow what comes of it:
 *
 *     begin → claim a
 *     a fails → skip b because a
 *     +5s
 *     why b → …
 *
 * After each step everything is decided and committed until nothing is left to do.
 */
export function checkStory(name: string, text: string, story: string): void {
  test(name, () => {
    const on = new Play(text);
    const told = story.split('\n').map((line) => line.trim());
    const played = told.map((line) => {
      const [step = ''] = line.split(' → ');
      const said = follow(on, step);
      return said === '' ? step : `${step} → ${said}`;
    });
    expect(played.join('\n')).toBe(told.join('\n'));
  });
}

/** Takes a step and every turn that follows. What it answers is told where it moved nothing. */
export function follow(on: Play, step: string): string {
  const { events, decided } = on;
  const [moved, before] = [events.length, decided.length];
  const answer = play(on, step);
  const answered = events.length === moved ? answer : '';
  on.turns();
  return [answered, decisionsText(decided.slice(before), on)]
    .filter((part) => part !== '')
    .join('; ');
}
