import type { Instant } from '../../domain/time.ts';
import type { BoardEvent, WriterName } from '../model/board-event.ts';
import type { Attribution } from './attribute.ts';
import type { Finding } from './presence.ts';

/**
 * What the ledger is told. What changes who owns what has an event for each path; of all else those
 * that came together, with the same people in it, are told together.
 */
export function eventsOf(findings: readonly Finding[], at: Instant): readonly BoardEvent[] {
  const events: BoardEvent[] = [];
  const grouped = new Map<string, { readonly first: Grouped; readonly paths: string[] }>();
  for (const finding of findings) {
    if (finding.kind === 'undeclared') {
      events.push({ kind: 'undeclaredWritten', at, ...nameOf(finding.by), path: finding.path });
      continue;
    }
    const key = JSON.stringify(finding.kind === 'stale' ? staleOf(finding) : namesOf(finding.by));
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, { first: finding, paths: [finding.path] });
    else group.paths.push(finding.path);
  }
  for (const { first, paths } of grouped.values())
    if (first.kind === 'stale') events.push({ kind: 'inputChanged', at, ...staleOf(first), paths });
    else {
      const by = namesOf(first.by);
      for (const run of new Set(by.map((name) => name.run)))
        events.push({ kind: 'writtenByOneOf', at, run, by, paths });
    }
  return events;
}

type Grouped = Exclude<Finding, { kind: 'undeclared' }>;

function staleOf({ of, by }: Extract<Finding, { kind: 'stale' }>): WriterName & {
  readonly by: readonly (WriterName | { readonly worker: PersonOf })[];
} {
  if (by.kind === 'person') return { ...nameOf(of), by: [{ worker: by.by }] };
  return { ...nameOf(of), by: by.kind === 'declared' ? namesOf(by.by) : [] };
}

type PersonOf = Extract<Attribution, { kind: 'person' }>['by'];

function namesOf(writers: readonly WriterName[]): readonly WriterName[] {
  return writers.map(nameOf);
}

function nameOf({ run, task, term }: WriterName): WriterName {
  return { run, task, term };
}
