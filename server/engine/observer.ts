import { unreachable } from '../domain/assert.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { treeOf } from '../domain/run.ts';
import type { Instant } from '../domain/time.ts';
import type { BoardEvent, WriterName } from '../scheduler/model/board-event.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { type Leftover, SAVED_MS } from '../scheduler/model/owner-table.ts';
import { eventsOf } from '../scheduler/observation/findings.ts';
import { type Finding, Presence, type PresentWriter } from '../scheduler/observation/presence.ts';
import { type ShellCommand, ShellCommands } from '../scheduler/observation/shell-commands.ts';
import type { BoardWriter } from './board-writer.ts';
import type { Tell } from './commands.ts';
import type { Alarm } from './ports.ts';
import type { SignsOfLife } from './signs-of-life.ts';
import type { Inputs, TreeChange, TreeWatch, WatchedTree } from './tree-watch.ts';
import type { LedgerEntry } from './store-port.ts';

interface ObserverParts {
  readonly writer: BoardWriter;
  readonly watch: TreeWatch;
  readonly alarm: Alarm;
  readonly rules: PathRules;
  readonly tell: Tell;
  readonly noticed: (sentence: string) => void;
  readonly life: SignsOfLife;
}

interface Watched {
  readonly presence: Presence;
  readonly tree: WatchedTree;
}

interface Moved {
  readonly run: RunId;
  readonly task: TaskId;
  readonly at: Instant;
}

/** A change of which it is not yet known who made it. */
interface Seen {
  readonly root: string;
  readonly presence: Presence;
  readonly change: TreeChange;
  /** Whoever is held up hears of the change and of its author late. */
  readonly seenAt: Instant;
}

/** A tree is watched on for so long after the last task there: the next one may come soon. */
const LINGER_MS = 10_000;
/** How often what is not known yet is looked at again. */
const JUDGE_MS = 50;
/** The hook of an agent waits at most so long for what a shell command has written. */
const SHELL_MS = 800;

/**
 * The part of the engine that sees what tasks really write. A working tree is watched while a task is
 * at work there whose plan speaks of files; nothing waits for that.
 */
export class Observer {
  readonly shells = new ShellCommands();
  readonly #parts: ObserverParts;
  readonly #trees = new Map<string, Watched>();
  readonly #settling = new Set<Promise<void>>();
  #linger: Disposable | undefined;
  #unsure: Seen[] = [];
  #judging: Disposable | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;
  #said = '';
  #isOver = false;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** Nobody has looked since then; whoever is held now was held all the time. */
  begin(since: Instant): void {
    for (const claim of this.#claims()) if (claim.entry.touchesFiles) this.#watch(claim, since);
  }

  /**
   * What has happened in one turn, after it is on the disk. Of a task that began and ended in it, only
   * the last entry says when it ended.
   */
  heed(entries: readonly LedgerEntry[]): void {
    const lastOf = new Map<string, Moved>();
    for (const { event } of entries) {
      if (event.kind !== 'taskMoved' && event.kind !== 'leftoverGone') continue;
      const { run, task } = event;
      const move = event.kind === 'taskMoved' ? event.event : event;
      if (move.kind === 'taskClaimed') {
        const claim = this.#board.find(run, task)?.claim;
        if (claim?.holder.term === move.term) this.#began(claim, move.at);
      } else if (this.#trees.size > 0) lastOf.set(`${run} ${task}`, { run, task, at: move.at });
    }
    for (const moved of lastOf.values()) this.#moved(moved);
  }

  /** All that tasks have written until now is in the next turn. */
  async settle(): Promise<void> {
    for (const { tree } of this.#trees.values()) this.#settle(tree);
    await Promise.all(this.#settling);
    await this.#waiting?.promise;
  }

  /** What it may write of others is watched from now on, also where no task is at work. */
  shellBegun(command: ShellCommand): void {
    const at = this.#parts.writer.now();
    this.shells.begun(command, at);
    const { tree: root, worker } = command;
    if (this.#trees.has(root)) return;
    for (const owner of this.#board.owners.map.owners)
      if (owner.tree === root && owner.worker !== worker) {
        this.#watchTree(root, at);
        this.#lingerOn();
        return;
      }
  }

  /** Done when the changes that the command has made are told, or soon after: an agent waits. */
  async shellEnded(command: ShellCommand): Promise<void> {
    this.shells.ended(command, this.#parts.writer.now());
    const tree = this.#trees.get(command.tree)?.tree;
    if (tree === undefined) return;
    const late = Promise.withResolvers<void>();
    using _ = this.#parts.alarm.after(SHELL_MS, late.resolve);
    this.#settle(tree);
    await Promise.race([Promise.all(this.#settling), late.promise]);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#linger?.[Symbol.dispose]();
    this.#judging?.[Symbol.dispose]();
    this.#waiting?.resolve();
    for (const { tree } of this.#trees.values()) tree[Symbol.dispose]();
    this.#trees.clear();
  }

  get #board(): BoardWriter['board'] {
    return this.#parts.writer.board;
  }

  *#claims(): Generator<Claim, void> {
    const { pushed, pulled } = this.#board.claims;
    for (const claims of [pushed, pulled])
      for (const claim of claims) if (isSeen(claim)) yield claim;
  }

  #began(claim: Claim, at: Instant): void {
    if (!isSeen(claim)) return;
    const watched = this.#trees.get(treeOf(claim.entry.run.manifest));
    if (watched !== undefined) this.#enter(watched, presentWriter(claim, at));
    else if (claim.entry.touchesFiles) this.#watch(claim, at);
  }

  #watch({ entry }: Claim, since: Instant): void {
    this.#watchTree(treeOf(entry.run.manifest), since);
  }

  #watchTree(root: string, since: Instant): void {
    if (this.#isOver || this.#trees.has(root)) return;
    const { rules, watch } = this.#parts;
    const presence = new Presence(rules);
    const tree = watch.watch(root, since, {
      touched: (path) => this.#heard(presence, path),
      wants: (path) => presence.wants(path) || this.#wantsForShells(root, path),
      changed: (changes) => this.#changed(root, presence, changes),
      noticed: (sentence) => this.#noticed(sentence),
    });
    const watched = { presence, tree };
    this.#trees.set(root, watched);
    for (const claim of this.#claims())
      if (treeOf(claim.entry.run.manifest) === root)
        this.#enter(watched, presentWriter(claim, sinceOf(claim)));
    for (const leftover of this.#board.owners.leftovers.values())
      if (leftover.owner.tree === root) this.#enter(watched, presentLeftover(leftover, since));
  }

  /** A shell command may have changed a file that somebody has. */
  #wantsForShells(root: string, path: string): boolean {
    const now = this.#parts.writer.now();
    if (!this.shells.isAtWork(root, now)) return false;
    return this.#board.owners.map.ofFile(path, now).writers.length > 0;
  }

  /** What a task at work says that it writes was changed: taken for its own doing. */
  #heard(presence: Presence, path: string): void {
    const { life } = this.#parts;
    if (this.#isOver || !life.isListening) return;
    for (const term of presence.writersOf(path)) life.heardOf(term);
  }

  #enter({ presence, tree }: Watched, writer: PresentWriter): void {
    if (presence.has(writer.term)) return;
    presence.add(writer);
    if (!writer.reads.isEmpty) tree.remember(inputsOf(writer, presence));
  }

  /** Whoever was lost may be at work on, until it is proved that it is not. */
  #moved({ run, task, at }: Moved): void {
    const held = this.#board.find(run, task)?.claim?.holder.term;
    for (const { presence } of this.#trees.values())
      for (const term of presence.termsOf(run, task))
        if (term !== held && !this.#mayWrite(term)) this.#ended(term, at);
  }

  /** A lost attempt where it is seen from here. */
  #mayWrite(term: number): boolean {
    return this.#board.owners.leftovers.get(term)?.isApart === false;
  }

  #ended(term: number, at: Instant): void {
    for (const { presence, tree } of this.#trees.values()) {
      const writer = presence.ended(term, at);
      if (writer?.saysPaths === true) this.#settle(tree);
      if (writer !== undefined && !presence.isWatched) this.#lingerOn();
    }
  }

  #settle(tree: WatchedTree): void {
    const settling = tree.settle().finally(() => void this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  #lingerOn(): void {
    this.#linger ??= this.#parts.alarm.after(LINGER_MS, () => {
      this.#linger = undefined;
      this.#sweep();
    });
  }

  #sweep(): void {
    const now = this.#parts.writer.now();
    for (const [root, { presence, tree }] of this.#trees) {
      presence.forget(now);
      if (presence.isWatched) continue;
      if (presence.isEmpty && !this.shells.isAtWork(root, now)) {
        tree[Symbol.dispose]();
        this.#trees.delete(root);
      } else this.#lingerOn();
    }
  }

  #changed(root: string, presence: Presence, changes: readonly TreeChange[]): void {
    const seenAt = this.#parts.writer.now();
    this.#lookForShells(root, changes);
    this.#judge(changes.map((change) => ({ root, presence, change, seenAt })));
  }

  #lookForShells(root: string, all: readonly TreeChange[]): void {
    const { writer, tell } = this.#parts;
    const changes = all.filter(({ isSame }) => !isSame);
    const events = this.shells.findings(this.#board, { tree: root, changes, now: writer.now() });
    if (events.length === 0 || this.#isOver) return;
    tell(() => {
      writer.record(events);
      return undefined;
    }, true);
  }

  /** That a person has written what nobody has declared may be heard only after it. */
  #judge(all: readonly Seen[]): void {
    const now = this.#parts.writer.now();
    const findings: Finding[] = [];
    for (const { presence } of this.#trees.values()) presence.forget(now);
    for (const seen of all) {
      const { root: tree, presence, change, seenAt } = seen;
      const { path, from } = change;
      const person = this.#board.owners.personAt({ tree, path, from, seenAt });
      const by = presence.authorOf(change, person);
      const isKnown = by.kind === 'declared' || by.kind === 'person';
      if (isKnown || isLastWord(seen, now))
        findings.push(
          ...presence
            .findings(change, { by, isSame: change.isSame })
            .filter((finding) => !this.#isDismissed(finding, tree)),
        );
      else this.#unsure.push(seen);
    }
    this.#record(findings);
    this.#judgeLater();
  }

  /** Whose file it is was said by a person, and holds for later changes too. */
  #isDismissed(finding: Finding, tree: string): boolean {
    const { dismissed } = this.#board.owners;
    const isDismissedFor = ({ run, task }: WriterName): boolean =>
      dismissed.covers({ tree, path: finding.path, of: { run, task } });
    switch (finding.kind) {
      case 'undeclared':
        return isDismissedFor(finding.by);
      case 'one-of':
        return finding.by.every(isDismissedFor);
      case 'stale':
        return false;
      default:
        return unreachable(finding);
    }
  }

  #judgeLater(): void {
    if (this.#unsure.length === 0) {
      this.#waiting?.resolve();
      this.#waiting = undefined;
      return;
    }
    this.#waiting ??= Promise.withResolvers();
    this.#judging ??= this.#parts.alarm.after(JUDGE_MS, () => {
      this.#judging = undefined;
      const now = this.#parts.writer.now();
      const unsure = this.#unsure;
      this.#unsure = unsure.filter((seen) => !isLastWord(seen, now));
      this.#judge(unsure.filter((seen) => isLastWord(seen, now)));
    });
  }

  #record(findings: readonly Finding[]): void {
    if (findings.length === 0 || this.#isOver) return;
    const { writer, tell } = this.#parts;
    tell(() => {
      const events: readonly BoardEvent[] = eventsOf(findings, writer.now());
      writer.record(events);
      return undefined;
    }, true);
  }

  #noticed(sentence: string): void {
    if (this.#said === sentence || this.#isOver) return;
    this.#said = sentence;
    this.#parts.noticed(sentence);
  }
}

/** Whoever has not taken the path by now has not saved it. */
function isLastWord({ seenAt }: Seen, now: Instant): boolean {
  return now > seenAt + SAVED_MS;
}

/** What works in a tree of its own is not seen from here, and writes nothing that is. */
function isSeen({ entry }: Claim): boolean {
  return !entry.asks.isIsolated;
}

function sinceOf({ holder }: Claim): Instant {
  return holder.kind === 'running' ? holder.startedAt : holder.claimedAt;
}

function presentWriter({ entry, holder, undeclared }: Claim, from: Instant): PresentWriter {
  const { reads, writes } = entry.paths;
  return {
    ...nameOf({ run: entry.run.manifest.id, task: entry.id, term: holder.term }),
    saysPaths: entry.touchesFiles,
    from,
    until: undefined,
    reads,
    writes,
    undeclared: new Set(undeclared?.keys()),
    stale: new Set(),
  };
}

function presentLeftover(leftover: Leftover, from: Instant): PresentWriter {
  const { owner, undeclared } = leftover;
  const { reads, writes } = owner;
  return {
    ...nameOf(leftover),
    saysPaths: true,
    from,
    until: undefined,
    reads,
    writes,
    undeclared: new Set(undeclared.keys()),
    stale: new Set(),
  };
}

/** What somebody reads; who reads the same has the same key. */
function inputsOf({ reads }: PresentWriter, presence: Presence): Inputs {
  const folders = [...new Set(reads.starts)];
  return { key: reads.text, folders, has: (path) => presence.isRead(path) };
}

function nameOf({ run, task, term }: WriterName): WriterName {
  return { run, task, term };
}
