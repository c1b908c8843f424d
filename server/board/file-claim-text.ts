import { displayLine, inShort } from '../domain/display-text.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import { isRunner, personName } from '../scheduler/model/workers.ts';
import { ClockText } from './clock-text.ts';
import type { FileClaim, PathClaim } from './file-claims.ts';

/**
 * What is said of those who are at work on a file. People read times of day in their own zone; a
 * model does not know the time, so agents read durations.
 */
export class FileClaimText {
  readonly #clock = new ClockText();
  readonly #reader: 'person' | 'agent';

  constructor(reader: 'person' | 'agent' = 'person') {
    this.#reader = reader;
  }

  /** Who does what, since when and until when: one sentence. */
  sentence(claim: FileClaim, now: Instant): string {
    const { since } = claim;
    const from = since === undefined ? '' : this.#since(since, now);
    const where = claim.isInOtherTree ? ', in another working tree' : '';
    return displayLine(`${what(claim)}${where}${from}${this.#until(claim, now)}.`);
  }

  /** Beside the name of a file or a folder: `claude-1 writes here for task "api", since 14:02:11`. */
  badge({ claim, isOwn }: PathClaim, now: Instant): string {
    const { since, worker, task, isInOtherTree, owner } = claim;
    const name = `task "${task?.id ?? (owner.kind === 'person' ? '' : owner.task)}"`;
    const forTask = owner.kind === 'person' ? ' without a task' : ` for ${name}`;
    const who = isOwn
      ? `You write here${forTask}`
      : isRunner(worker) || owner.kind === 'leftover'
        ? `${sentenceCase(shortName(claim))} writes here`
        : `${personName(worker).replace(/^agent\//, '')} writes here${forTask}`;
    const where = isInOtherTree ? ', in another working tree' : '';
    const from = since === undefined ? '' : this.#since(since, now);
    return displayLine(`${who}${where}${from}${this.#until(claim, now)}`);
  }

  /** For a line that was changed while somebody else has the file. */
  collision(
    writers: readonly FileClaim[],
    { now, isSaved }: { readonly now: Instant; readonly isSaved: boolean },
  ): string {
    const [first] = writers;
    if (first === undefined) return '';
    const others = writers.length - 1;
    const more = others === 0 ? '' : ` So ${others === 1 ? 'does one more' : `do ${others} more`}.`;
    return `${this.sentence(first, now)}${more} ${consequence(first, isSaved)}`;
  }

  /** For a file that others read while it changes. */
  staleness(readers: readonly FileClaim[]): string {
    const names = readers.map(shortName);
    const who = inShort(names.slice(0, NAMES_LIMIT).join(', '));
    const left = names.length - NAMES_LIMIT;
    const more = left > 0 ? ` and ${left} more` : '';
    const verb = names.length === 1 ? 'reads' : 'read';
    return displayLine(
      `${who}${more} ${verb} this file now, and may have seen it before or after your change.`,
    );
  }

  #since(since: Instant, now: Instant): string {
    if (this.#reader === 'agent') return `, for ${durationText(now - since)} now`;
    return `, since ${this.#clock.short(since, now)}`;
  }

  #until({ until, owner, worker, task }: FileClaim, now: Instant): string {
    if (until === undefined) {
      if (owner.kind === 'leftover') return ', until it is proved that nothing of it is left';
      if (task === undefined) return ', until they let go';
      return isRunner(worker) ? ', until it ends' : ', until it is released';
    }
    if (this.#reader === 'agent') {
      const left = durationText(until - now);
      return owner.kind === 'task'
        ? `, for another ${left} unless it is renewed`
        : `, for another ${left}`;
    }
    const at = this.#clock.short(until, now);
    return owner.kind === 'task' ? `, until ${at} or as long as it is renewed` : `, until ${at}`;
  }
}

export { personName };

/** To the second: nothing here is more exact. */
function durationText(ms: number): string {
  return formatDuration(Math.max(1, Math.round(ms / 1000)) * 1000);
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const NAMES_LIMIT = 5;

/** What an agent does instead of writing a file; undefined if it may write it. */
export function writingAdvice(path: string, claims: readonly FileClaim[]): string | undefined {
  const first = claims.find(({ how, isInOtherTree }) => how === 'writes' && !isInOtherTree);
  if (first === undefined) return undefined;
  const ask = first.hears ? `, or call ask_release to ask ${shortName(first)} for it` : '';
  return displayLine(
    `Do not write ${path} now, by any means: work on something else and come back to it${ask}. ` +
      'Tell the user if nothing else is left to do.',
  );
}

/** As it is named in a list, or in a question. */
export function shortName({ owner, task, worker }: FileClaim): string {
  if (owner.kind === 'person') return personName(worker);
  const name = `task "${task?.id ?? owner.task}"`;
  return owner.kind === 'leftover' ? `a lost attempt at ${name}` : name;
}

function what(claim: FileClaim): string {
  const { owner, worker, how, task } = claim;
  const file = `this file${patternText(claim)}`;
  switch (owner.kind) {
    case 'task': {
      const verb = how === 'writes' ? 'is writing' : 'is reading';
      const holder = isRunner(worker) ? '' : ` (${personName(worker)})`;
      return `Task "${task?.id ?? owner.task}"${holder} ${verb} ${file}`;
    }
    case 'leftover': {
      const verb = how === 'writes' ? 'write' : 'read';
      const holder = isRunner(worker) ? '' : ` (${personName(worker)})`;
      return `A lost attempt at task "${owner.task}"${holder} may still ${verb} ${file}`;
    }
    case 'person':
      if (owner.isSaved === true)
        return `${personName(worker)} has just edited this file in another window, and saved it`;
      if (owner.isUnsaved)
        return `${personName(worker)} is editing this file in another window, with changes that are not saved`;
      return `${personName(worker)} has taken ${file}${how === 'writes' ? '' : ' to read it'}`;
    default:
      return owner satisfies never;
  }
}

/** The name of the file itself says nothing more. */
function patternText({ pattern }: FileClaim): string {
  return pattern === undefined || !/[*?[{]|\/$/.test(pattern) ? '' : ` (as ${inShort(pattern)})`;
}

function consequence({ isInOtherTree, owner }: FileClaim, isSaved: boolean): string {
  if (isInOtherTree) return 'The two will have to be merged.';
  if (isSaved)
    return 'Your change here is saved all the same: one of the two may overwrite the other. Look at the file again when both are done.';
  return owner.kind === 'person' && owner.isUnsaved && !owner.isSaved
    ? 'Whoever saves last overwrites the other.'
    : 'If you save this change, one of the two may overwrite the other.';
}
