import * as l10n from '@vscode/l10n';
import type { RunState, TimelineMark } from '../protocol/timeline.ts';
import { endWord, stateWord, waitWords } from './state-signs.ts';
import type { PictureSpan } from './timeline-rows.ts';

/** A length of time as people read it: `40 ms`, `1.2 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function lengthWords(milliseconds: number): string {
  const length = Math.max(0, Math.round(milliseconds));
  if (length < 1000) return l10n.t('{0} ms', length);
  if (length < 10_000) return l10n.t('{0} s', (Math.floor(length / 100) / 10).toFixed(1));
  const seconds = Math.floor(length / 1000);
  if (seconds < 60) return l10n.t('{0} s', seconds);
  if (seconds < 3600) return l10n.t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
  return l10n.t('{0} h {1} min', Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60));
}

/** What a screen reader, and whoever points at it, is told of a part of a row. */
export function spanWords(span: PictureSpan, nowAt: number): string {
  const length = lengthWords((span.to ?? nowAt) - span.from);
  switch (span.kind) {
    case 'waiting':
      return l10n.t(
        '{0}: {1}, for {2}',
        span.task,
        waitWords(span.cause, span.names, span.more),
        length,
      );
    case 'attention':
      return l10n.t('{0}: needs attention, {1}, for {2}', span.task, span.detail, length);
    case 'claimed':
    case 'running': {
      const how = span.end === undefined ? stateWord(span.kind) : endWord(span.end);
      const detail = span.detail === '' ? '' : `, ${span.detail}`;
      return l10n.t(
        '{0}: {1}{2}, attempt {3} on {4}, {5}',
        span.task,
        how,
        detail,
        span.attempt,
        span.worker,
        length,
      );
    }
    default:
      return span satisfies never;
  }
}

export function markWords({ kind, detail }: TimelineMark): string {
  const words: Readonly<Record<TimelineMark['kind'], string>> = {
    skipped: l10n.t('skipped'),
    cancelled: l10n.t('cancelled'),
    retried: l10n.t('begins anew'),
    pause: l10n.t('paused'),
    resume: l10n.t('goes on'),
    'stop-asked': l10n.t('asked to end'),
    asked: l10n.t('needs a person'),
  };
  return detail === '' ? words[kind] : `${words[kind]}, ${detail}`;
}

export function runWord(state: RunState): string {
  switch (state) {
    case 'active':
      return stateWord('running');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'completed':
    case 'failed':
    case 'cancelled':
      return stateWord(state);
    case 'superseded':
      return l10n.t('replaced by a newer one');
    case 'deadlocked':
      return l10n.t('could not end');
    default:
      return state satisfies never;
  }
}
