import { personName } from '../../board/file-claim-text.ts';
import type { FileClaims, WaitingTask } from '../../board/file-claims.ts';
import type { EditorWindow } from '../../board/window.ts';
import type { LedgerEntry } from '../../engine/store-port.ts';
import type { FollowedFile } from './followed-file.ts';

/** A message for the user; answers with what they have chosen, if anything. */
export type ShowMessage = (
  kind: 'information' | 'warning',
  message: string,
  choices: readonly string[],
) => Promise<string | undefined>;

type ReleaseAsked = Extract<LedgerEntry['event'], { kind: 'releaseAsked' }>;

const LET_START = 'Let It Start';
const KEEP_WAITING = 'Keep It Waiting';
const LET_GO = 'Let Go';
const NOT_NOW = 'Not Now';

/** What the person before this window is asked and told, each thing once. */
export class PersonNotices {
  readonly #show: ShowMessage;
  /** Tasks that wait for a buffer of this window, and were said to. */
  readonly #asked = new Set<string>();
  readonly #awaited = new Set<FollowedFile>();

  constructor(show: ShowMessage) {
    this.#show = show;
  }

  tellWhenFree(file: FollowedFile): void {
    this.#awaited.add(file);
    this.looked(file);
    if (this.#awaited.has(file))
      void this.#show('information', `You will be told when ${file.name} is free.`, []);
  }

  /** For a client that cannot bring it back by itself. */
  overwritten(name: string, by: string): void {
    void this.#show('warning', `${by} overwrote your edit of ${name}. Look at the file again.`, []);
  }

  looked(file: FollowedFile): void {
    if (!this.#awaited.has(file) || file.found.some(({ claim }) => claim.how === 'writes')) return;
    this.#awaited.delete(file);
    void this.#show('information', `${file.name} is free: nobody else writes it now.`, []);
  }

  forget(file: FollowedFile): void {
    this.#awaited.delete(file);
  }

  /** Of what this window has; what the person has elsewhere is asked for there. */
  asked(
    { owner, worker, path }: ReleaseAsked,
    { window, files }: { readonly window: EditorWindow; readonly files: readonly FollowedFile[] },
  ): void {
    if (owner.kind !== 'person' || worker === window.worker) return;
    for (const { held } of files)
      if (held !== undefined && held.via.idOf(held.path) === owner.id) {
        const message = `${personName(worker)} asks you for ${path}, which you have changed.`;
        void this.#offer(message, [LET_GO, NOT_NOW], () => {
          if (held.claim.isHeld) held.claim.yield();
          else this.#isMoot(`You do not have ${path} any more.`);
        });
        return;
      }
  }

  /** A task that would write what somebody edits waits, and this is how that one hears of it. */
  askForWaiting(files: readonly FollowedFile[]): void {
    const own = files.flatMap((file) => (file.held === undefined ? [] : { file, ...file.held }));
    if (own.length === 0) this.#asked.clear();
    const boards = new Map<string, FileClaims>(own.map(({ via }) => [via.tree, via]));
    for (const [tree, via] of boards) {
      const ofBoard = own.filter((each) => each.via.tree === tree);
      for (const task of via.waitingFor(ofBoard.map(({ path }) => path))) {
        const file = ofBoard.find(({ path }) => path === task.path)?.file;
        // When it waits again after it was at work, that is another question.
        const { revision, attempt } = via.attemptOf(task) ?? {};
        if (file !== undefined) this.#ask(task, `${revision} ${attempt}`, file);
      }
    }
  }

  #ask(task: WaitingTask, attempt: string, file: FollowedFile): void {
    const { run, id, path } = task;
    const key = `${run} ${id} ${attempt} ${path}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const message = `Task "${id}" would write ${path}, which you have changed, and waits for you.`;
    void this.#offer(message, [LET_START, KEEP_WAITING], () => {
      // A message stays until it is answered, and by then the task may not wait any more.
      if (file.held?.via.isPending(task) === true) file.letStart(task);
      else this.#isMoot(`Task "${id}" does not wait for ${path} any more.`);
    });
  }

  /** What was asked does not matter any more when it is answered: nothing is done. */
  #isMoot(message: string): void {
    void this.#show('information', message, []);
  }

  /** Does it if the first of the choices is chosen. */
  async #offer(
    message: string,
    choices: readonly [string, string],
    perform: () => void,
  ): Promise<void> {
    if ((await this.#show('information', message, choices)) === choices[0]) perform();
  }
}
