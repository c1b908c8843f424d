import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { RunManifest } from '../domain/run.ts';
import type { TaskEvent } from '../domain/task.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { displayText } from '../domain/display-text.ts';
import type { BoardNews } from '../plans/kanban/moves.ts';
import { BoardWriting, type TaskPlace } from './board-writing.ts';
import type { MirrorMark, OpenBoard, PlanFiles, SharedFiles } from './ports.ts';
import { BOARD_FILE_NAME } from '../plans/plan-file-names.ts';

/** How often claims that go on are looked at, so that others do not take them for forgotten. */
const LOOK_MS = 60_000;
const RETRY_MS = { first: 20, most: 1000 } as const;
/** A file that somebody else has all this time is left for the next change of its task. */
const ATTEMPTS = 8;
/** The mark may be so far behind where nothing of a board has happened. */
const BEHIND_LIMIT = 200;

interface MirrorParts {
  readonly open: Pick<OpenBoard, 'keeper' | 'store' | 'clock' | 'alarm'>;
  readonly mark: MirrorMark;
  readonly files: PlanFiles;
  readonly shared: SharedFiles;
  /** A sentence for the user. */
  readonly tell: (message: string) => void;
}

interface Pending {
  readonly place: TaskPlace;
  readonly news: BoardNews[];
}

/**
 * Writes into the files of boards what has become of their tasks. The ledger comes first: a file is
 * brought up to date behind it, also after a crash in between.
 *
 * Invariant: only the process that decides writes, and only where tasks may run.
 */
export class BoardMirror {
  readonly #parts: MirrorParts;
  readonly #writing: BoardWriting;
  /** The last entry that was looked at in this tenure; nothing while another process decides. */
  #upTo: number | undefined;
  #marked = 0;
  #pending = new Map<string, Pending>();
  #attempts = 0;
  #isDue = false;
  #alarm: Disposable | undefined;
  #look: Disposable | undefined;
  readonly #holders = new Map<string, WorkerId>();
  readonly #manifests = new Map<RunId, RunManifest>();

  constructor(parts: MirrorParts) {
    this.#parts = parts;
    this.#writing = new BoardWriting(parts);
  }

  /** These are in the ledger now; there may be none, when this process has come to decide. */
  follow(entries: readonly LedgerEntry[]): void {
    const { keeper, store } = this.#parts.open;
    if (!keeper.isDeciding || keeper.board.permission !== 'granted') {
      this.#upTo = undefined;
      return;
    }
    const upTo = this.#upTo ?? this.#begin();
    const [first, last] = [entries[0]?.sequence ?? upTo + 1, entries.at(-1)?.sequence ?? upTo];
    const isWhole = first === upTo + 1;
    const fresh = isWhole ? entries : store.events(upTo, Number.MAX_SAFE_INTEGER);
    this.#upTo = Math.max(upTo, last, fresh.at(-1)?.sequence ?? 0);
    for (const entry of fresh) if (entry.sequence > upTo) this.#take(entry);
    this.#writeSoon();
  }

  /** Writes what is to be written, as far as that can be done at once. */
  finish(): void {
    if (this.#upTo !== undefined && this.#parts.open.keeper.mayAct) this.#write();
    for (const each of [this.#alarm, this.#look]) each?.[Symbol.dispose]();
  }

  /** Of what the last process that decided had no time for, the files say what is so now. */
  #begin(): number {
    const { store } = this.#parts.open;
    const last = store.lastSequence();
    const mark = this.#parts.mark.read();
    this.#marked = Math.min(mark ?? last, last);
    this.#lookAtClaims();
    const missed = store.events(this.#marked, Number.MAX_SAFE_INTEGER);
    for (const entry of missed) this.#take(entry);
    return missed.at(-1)?.sequence ?? last;
  }

  #take({ event }: LedgerEntry): void {
    if (event.kind === 'runSubmitted') this.#manifests.set(event.manifest.id, event.manifest);
    if (event.kind === 'runFinished') this.#forgetLater(event.run);
    if (event.kind !== 'taskMoved') return;
    const { run, task, event: move } = event;
    const manifest = this.#manifestOf(run);
    if (manifest === undefined || !isOfBoard(manifest)) return;
    const news = this.#newsOf({ run, task }, move);
    if (news !== undefined) this.#add(manifest, { task, news });
  }

  #newsOf(
    { run, task }: { readonly run: RunId; readonly task: TaskId },
    event: TaskEvent,
  ): BoardNews | undefined {
    const key = `${run} ${task}`;
    const at = this.#timeOfDay(event.at);
    if (event.kind === 'taskClaimed') this.#holders.set(key, event.worker);
    switch (event.kind) {
      case 'taskClaimed':
        return { kind: 'held', by: nameOf(event.worker), at };
      case 'taskCompleted':
      case 'taskFailed':
      case 'taskLost':
      case 'taskReleased':
      case 'taskAsked':
      case 'taskCancelled': {
        const holder = this.#holders.get(key) ?? this.#holderInLedger({ run, task });
        this.#holders.delete(key);
        const kind = event.kind === 'taskCompleted' ? 'done' : 'free';
        return holder === undefined && kind === 'free'
          ? undefined
          : { kind, by: holder === undefined ? '' : nameOf(holder), at };
      }
      default:
        return undefined;
    }
  }

  #holderInLedger({
    run,
    task,
  }: {
    readonly run: RunId;
    readonly task: TaskId;
  }): WorkerId | undefined {
    const entries = this.#parts.open.store.eventsOfRun(run, 0, Number.MAX_SAFE_INTEGER);
    for (const { event } of entries.toReversed())
      if (event.kind === 'taskMoved' && event.task === task && event.event.kind === 'taskClaimed')
        return event.event.worker;
    return undefined;
  }

  #manifestOf(run: RunId): RunManifest | undefined {
    const { keeper, store } = this.#parts.open;
    const known = this.#manifests.get(run) ?? keeper.board.runs.get(run)?.manifest;
    if (known !== undefined) return known;
    for (const { manifest } of store.runs(Number.MAX_SAFE_INTEGER))
      if (manifest.id === run) {
        this.#manifests.set(run, manifest);
        return manifest;
      }
    return undefined;
  }

  /** What is in the same batch is still about it. */
  #forgetLater(run: RunId): void {
    this.#parts.open.alarm.soon(() => this.#manifests.delete(run));
  }

  #lookAtClaims(): void {
    const { claims } = this.#parts.open.keeper.board;
    let isAny = false;
    for (const { entry, holder } of [...claims.pushed, ...claims.pulled]) {
      const { manifest } = entry.run;
      if (!isOfBoard(manifest)) continue;
      isAny = true;
      this.#holders.set(`${manifest.id} ${entry.id}`, holder.worker);
      const at = this.#parts.shared.timeOfDay();
      this.#add(manifest, {
        task: entry.id,
        news: { kind: 'held', by: nameOf(holder.worker), at },
      });
    }
    if (isAny) this.#lookLater();
  }

  #lookLater(): void {
    this.#look ??= this.#parts.open.alarm.after(LOOK_MS, () => {
      this.#look = undefined;
      if (this.#upTo === undefined || !this.#parts.open.keeper.isDeciding) return;
      this.#lookAtClaims();
      this.#writeSoon();
    });
  }

  #add(
    { root, plan }: RunManifest,
    { task, news }: { readonly task: TaskId; readonly news: BoardNews },
  ): void {
    const key = `${root}\n${plan}\n${task}`;
    const pending = this.#pending.get(key) ?? { place: { root, plan, task }, news: [] };
    pending.news.push(news);
    this.#pending.set(key, pending);
    if (news.kind === 'held') this.#lookLater();
  }

  #writeSoon(): void {
    const isIdle = this.#pending.size === 0 && (this.#upTo ?? 0) - this.#marked < BEHIND_LIMIT;
    if (isIdle || this.#isDue) return;
    this.#isDue = true;
    this.#parts.open.alarm.soon(() => {
      this.#isDue = false;
      if (this.#parts.open.keeper.mayAct) this.#write();
    });
  }

  #write(): void {
    const upTo = this.#upTo ?? 0;
    const isNothing = this.#pending.size === 0;
    // A crash from here on leaves what is to be written to whoever comes next.
    if (!isNothing && this.#parts.mark.read() === undefined) this.#parts.mark.write(this.#marked);
    for (const [key, { place, news }] of this.#pending) {
      const result = this.#writing.write(place, news);
      const isLast = this.#attempts >= ATTEMPTS;
      if (result.kind === 'later' && !isLast) continue;
      this.#pending.delete(key);
      const busy = 'its file was left as it is, because another program holds on to it.';
      const sentences = result.kind === 'later' ? [busy] : result.notices;
      for (const said of sentences)
        this.#parts.tell(displayText(`Task ${place.task} of ${place.plan}: ${said}`));
    }
    if (this.#pending.size > 0) {
      this.#retry();
      return;
    }
    this.#attempts = 0;
    if (upTo === this.#marked || (isNothing && upTo - this.#marked < BEHIND_LIMIT)) return;
    this.#parts.mark.write(upTo);
    this.#marked = upTo;
  }

  #retry(): void {
    const delayMs = Math.min(RETRY_MS.first * 2 ** this.#attempts, RETRY_MS.most);
    this.#attempts += 1;
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = this.#parts.open.alarm.after(delayMs, () => {
      if (this.#parts.open.keeper.mayAct) this.#write();
    });
  }

  /** The board's own clock may differ from the one on the wall. */
  #timeOfDay(at: number): number {
    const { open, shared } = this.#parts;
    return Math.round(shared.timeOfDay() - (open.clock.now() - at));
  }
}

/** Whether its plan is a board whose files say what becomes of its tasks. */
export function isOfBoard({ plan }: Pick<RunManifest, 'plan'>): boolean {
  return plan === BOARD_FILE_NAME || plan.endsWith(`/${BOARD_FILE_NAME}`);
}

/** As people are called on their board. */
export function nameOf(worker: WorkerId): string {
  return worker.replace(/^(?:agent|person)\//, '');
}
