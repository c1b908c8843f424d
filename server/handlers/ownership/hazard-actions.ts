import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Location,
} from 'vscode-languageserver';
import { personName, shortName } from '../../board/file-claim-text.ts';
import { isCommand } from '../../board/file-claims.ts';
import type { FollowedFile, FoundClaim } from './followed-file.ts';
import type { LiveFiles } from './live-files.ts';
import type { ShowMessage } from './person-notices.ts';

/** What is done about somebody else who has a file; each works in any client that shows messages. */
export const HAZARD_COMMANDS = [
  'interlock.hazard.openTask',
  'interlock.hazard.askRelease',
  'interlock.hazard.takeOver',
  'interlock.hazard.wait',
] as const;

type HazardCommand = (typeof HAZARD_COMMANDS)[number];

/** Of more than that nobody wants to read a menu. */
const OWNERS_LIMIT = 3;
const TAKE_OVER = 'Take Over';
const LEAVE_IT = 'Leave It';

export interface HazardActionsParts {
  readonly live: LiveFiles;
  readonly show: ShowMessage;
  /** Absent where the client cannot open a place. */
  readonly showDocument: ((place: Location) => Promise<void>) | undefined;
}

/** The quick fixes of a file that somebody else has, and what each of them does. */
export class HazardActions {
  readonly #parts: HazardActionsParts;

  constructor(parts: HazardActionsParts) {
    this.#parts = parts;
  }

  at(uri: string, diagnostics: readonly Diagnostic[]): readonly CodeAction[] {
    const file = this.#parts.live.get(uri);
    const of = diagnostics.filter((each) => isHazard(each));
    if (file === undefined || of.length === 0) return [];
    const how = of.some(({ code }) => code !== 'read-by') ? 'writes' : 'reads';
    const found = file.found.filter(({ claim }) => claim.how === how).slice(0, OWNERS_LIMIT);
    const fixes = found.flatMap((each) => this.#fixesFor(file, each));
    const wait: Fix = {
      title: `Wait: tell me when ${file.name} is free`,
      command: 'interlock.hazard.wait',
      key: '',
    };
    const all = how === 'writes' && found.length > 0 ? [...fixes, wait] : fixes;
    return all.map(({ title, command, key }) => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: of,
      command: { title, command, arguments: [uri, key] },
    }));
  }

  async perform(command: HazardCommand, uri: string, key: string): Promise<void> {
    const { live, show } = this.#parts;
    const file = live.get(uri);
    if (file === undefined) return;
    if (command === 'interlock.hazard.wait') {
      live.tellWhenFree(file);
      return;
    }
    const found = file.found.find(({ claim }) => claim.key === key);
    if (found === undefined) {
      await show('information', `${file.name} is free by now.`, []);
      return;
    }
    switch (command) {
      case 'interlock.hazard.openTask':
        return await this.#openTask(found);
      case 'interlock.hazard.askRelease':
        return await this.#askRelease(found);
      case 'interlock.hazard.takeOver':
        return await this.#takeOver(file, found);
      default:
        return command satisfies never;
    }
  }

  #fixesFor(file: FollowedFile, { claim }: FoundClaim): readonly Fix[] {
    const { live, showDocument } = this.#parts;
    const { key, task } = claim;
    const fixes: Fix[] = [];
    if (task !== undefined && showDocument !== undefined && live.plans.taskAt(task) !== undefined)
      fixes.push({ title: `Open task "${task.id}"`, command: 'interlock.hazard.openTask', key });
    if (claim.how === 'reads') return fixes;
    if (claim.hears)
      fixes.push({
        title: `Ask ${personName(claim.worker)} to release ${file.name}`,
        command: 'interlock.hazard.askRelease',
        key,
      });
    if (claim.mayBeTaken)
      fixes.push({
        title: `Take over ${file.name}${howToTake(claim)}…`,
        command: 'interlock.hazard.takeOver',
        key,
      });
    return fixes;
  }

  async #openTask({ claim: { task } }: FoundClaim): Promise<void> {
    const { live, showDocument } = this.#parts;
    const place = task && live.plans.taskAt(task);
    if (place !== undefined) await showDocument?.(place);
  }

  async #askRelease({ claim, via, path }: FoundClaim): Promise<void> {
    const who = personName(claim.worker);
    const isAsked = await via.askRelease(claim, path);
    const message = isAsked
      ? `${who} is asked for ${path}, and hears of it ${whenHeard(claim)}.`
      : `${who} has let go of ${path} already.`;
    await this.#parts.show('information', message, []);
  }

  async #takeOver(file: FollowedFile, { claim, via, path }: FoundClaim): Promise<void> {
    const { show } = this.#parts;
    const question = `Take ${path} from ${shortName(claim)}? ${whatHappens(claim)}`;
    if ((await show('warning', question, [TAKE_OVER, LEAVE_IT])) !== TAKE_OVER) return;
    if (via.find(path, claim.key) !== undefined) {
      // It is this person's before it is anybody else's.
      await file.take();
      if (await via.takeOver(claim)) return;
    }
    await show('information', `${shortName(claim)} has ended already.`, []);
  }
}

interface Fix {
  readonly title: string;
  readonly command: HazardCommand;
  readonly key: string;
}

function isHazard({ source, code }: Diagnostic): boolean {
  return source === 'interlock' && (code === 'hazard' || code === 'owner' || code === 'read-by');
}

function howToTake(claim: FoundClaim['claim']): string {
  if (isCommand(claim)) return `: stop ${shortName(claim)}`;
  return ` from ${personName(claim.worker)}`;
}

function whenHeard({ owner }: FoundClaim['claim']): string {
  if (owner.kind !== 'person') return 'when it renews its lease';
  return owner.isUnsaved ? 'now' : 'the next time they look at "interlock status"';
}

function whatHappens(claim: FoundClaim['claim']): string {
  const { owner, worker } = claim;
  if (owner.kind === 'person')
    return `${personName(worker)} has taken it, and is not asked. Whatever they have not written yet may still overwrite yours.`;
  if (isCommand(claim))
    return 'Its command is stopped, the task is cancelled, and what depends on it is skipped until somebody retries it.';
  return `${personName(worker)} loses the task, which goes back to the queue and waits for you. Until they notice, they may go on writing.`;
}
