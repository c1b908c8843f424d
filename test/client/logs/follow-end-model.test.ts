import { expect, test } from 'vitest';
import { FollowEnd } from '../../../client/logs/follow-end-model.ts';

const LINES = 30;

/** An editor of 30 lines on a log. */
class Reader {
  readonly follow = new FollowEnd();
  #at = 0;
  #lineCount = 100;

  /** The last line that is shown. */
  scrollTo(end: number, laterMs = 1000): void {
    this.#at += laterMs;
    const start = Math.max(0, end - LINES);
    this.follow.seen({ start, end, lineCount: this.#lineCount, at: this.#at });
  }

  grow(): void {
    this.#lineCount += 50;
  }

  reveal(): void {
    this.follow.revealed(this.#at);
  }

  get end(): number {
    return this.#lineCount - 1;
  }
}

test('a log is followed while its end is seen', () => {
  const reader = new Reader();
  reader.scrollTo(reader.end);
  reader.grow();
  expect(reader.follow.isFollowing).toBe(true);
  reader.reveal();
  reader.scrollTo(reader.end, 20);
  expect(reader.follow.isFollowing).toBe(true);
});

test('a reader who scrolls up is left alone until they are back at the end', () => {
  const reader = new Reader();
  reader.scrollTo(reader.end);
  reader.scrollTo(reader.end - 3);
  reader.grow();
  expect(reader.follow.isFollowing).toBe(false);
  reader.scrollTo(reader.end - 20);
  expect(reader.follow.isFollowing).toBe(false);
  reader.scrollTo(reader.end);
  expect(reader.follow.isFollowing).toBe(true);
});

test('a scroll that is heard of after ours counts', () => {
  const reader = new Reader();
  reader.scrollTo(reader.end);
  reader.grow();
  reader.reveal();
  reader.scrollTo(reader.end - 60, 30);
  reader.scrollTo(reader.end, 30);
  expect(reader.follow.isFollowing).toBe(false);
});
