import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Range,
} from 'vscode-languageserver';
import type { FileClaimText } from '../../board/file-claim-text.ts';
import type { FileClaim } from '../../board/file-claims.ts';
import type { Instant } from '../../domain/time.ts';
import { atMost, type LineRange } from '../../language/changed-lines.ts';

/** What a file looks like to whoever edits it. */
export interface SeenFile {
  readonly lines: readonly string[];
  readonly changed: readonly LineRange[];
  /** Whether what was changed is on the disk. */
  readonly isSaved: boolean;
}

export interface Telling {
  readonly text: FileClaimText;
  readonly now: Instant;
  /** The line of the plan, where there is one. */
  readonly placeOf: (claim: FileClaim) => DiagnosticRelatedInformation | undefined;
}

/** For whoever looks at the diagnostics, and for our own quick fixes. */
interface HazardData {
  /** Whose claims are in the way. */
  readonly keys: readonly string[];
}

/** All that is said of those who have a file. Where it is said is all that a key changes. */
export interface PreparedHazards {
  readonly hint?: Unplaced;
  /** Of lines that were changed, and of those that are saved. */
  readonly unsaved?: Unplaced;
  readonly saved?: Unplaced;
  readonly stale?: Unplaced;
}

type Unplaced = Omit<Diagnostic, 'range'>;

/** Of one file; more than that nobody reads, and nobody wants to be told at each key. */
const RANGES_LIMIT = 20;
const OWNERS_LIMIT = 5;

export function prepareHazards(claims: readonly FileClaim[], telling: Telling): PreparedHazards {
  const writers = claims.filter(({ how }) => how === 'writes');
  const readers = claims.filter(({ how, owner }) => how === 'reads' && owner.kind === 'task');
  if (writers.length > 0)
    return {
      hint: ownerHint(writers, telling),
      unsaved: collision(writers, telling, false),
      saved: collision(writers, telling, true),
    };
  if (readers.length === 0) return {};
  const severity = DiagnosticSeverity.Information;
  const message = telling.text.staleness(readers);
  return { stale: { ...about(readers, telling), code: 'read-by', severity, message } };
}

/** On line 1 who has the file, and on each changed line what may come of it. */
export function hazardDiagnostics(
  { hint, unsaved, saved, stale }: PreparedHazards,
  { lines, changed, isSaved }: SeenFile,
): readonly Diagnostic[] {
  const place = (what: Unplaced | undefined, range: LineRange | undefined): readonly Diagnostic[] =>
    what === undefined || range === undefined ? [] : [{ ...what, range: placeOf(range, lines) }];
  const warning = isSaved ? saved : unsaved;
  return [
    ...place(hint, { start: 0, end: 1 }),
    ...atMost(changed, RANGES_LIMIT).flatMap((range) => place(warning, range)),
    // Who reads what changes is told of once, and not at each line.
    ...place(stale, changed[0]),
  ];
}

function collision(writers: readonly FileClaim[], telling: Telling, isSaved: boolean): Unplaced {
  const message = telling.text.collision(writers, { now: telling.now, isSaved });
  return {
    ...about(writers, telling),
    code: 'hazard',
    severity: DiagnosticSeverity.Warning,
    message,
  };
}

function ownerHint(writers: readonly FileClaim[], telling: Telling): Unplaced {
  const { text, now } = telling;
  const sentences = writers.slice(0, OWNERS_LIMIT).map((claim) => text.sentence(claim, now));
  const left = writers.length - sentences.length;
  const said = [...sentences, ...(left > 0 ? [`And ${left} more.`] : [])];
  const severity = DiagnosticSeverity.Hint;
  return { ...about(writers, telling), code: 'owner', severity, message: said.join(' ') };
}

function about(
  claims: readonly FileClaim[],
  { placeOf: find }: Telling,
): Pick<Diagnostic, 'source' | 'data' | 'relatedInformation'> {
  const first = claims.slice(0, OWNERS_LIMIT);
  const data: HazardData = { keys: first.map(({ key }) => key) };
  const relatedInformation = first.flatMap((claim) => find(claim) ?? []);
  return { source: 'interlock', data, relatedInformation };
}

/** Whole lines; where lines were taken out, the one that follows, or the last. */
function placeOf({ start, end }: LineRange, lines: readonly string[]): Range {
  const last = Math.max(0, lines.length - 1);
  const from = Math.min(start, last);
  const to = Math.max(from, Math.min(end - 1, last));
  return {
    start: { line: from, character: 0 },
    end: { line: to, character: lines[to]?.length ?? 0 },
  };
}
