import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import { claimsOnFile, type FileClaim } from '../model/file-claim.ts';
import type { Change } from './attribute.ts';

/** A shell command of an agent, as its hook tells of it. Which files it writes is not known. */
export interface ShellCommand {
  readonly worker: WorkerId;
  readonly session: string;
  /** Which of several commands at a time it is; empty if the agent does not say. */
  readonly call: string;
  readonly tree: string;
  /** The task that the agent was started by. */
  readonly inside?: { readonly run: RunId; readonly task: TaskId };
}

/** Files of another worker that changed while an agent ran a shell command. */
export interface TouchedFiles {
  readonly paths: readonly string[];
  readonly holder: WorkerId;
  /** Absent if the holder has taken the files without a task. */
  readonly task?: TaskId;
}

type TouchedEvent = Extract<BoardEvent, { kind: 'heldFilesChanged' | 'takenFilesChanged' }>;

interface Known extends ShellCommand {
  readonly from: Instant;
  until: Instant | undefined;
  found: number;
}

/** A command whose end is not told, because the agent was interrupted, counts for so long. */
const LONGEST_MS = 10 * 60_000;
/** A change is told at most so long after it happened. */
const MEMORY_MS = 10_000;
const COMMANDS_LIMIT = 200;
const FOUND_LIMIT = 100;
const TOLD_LIMIT = 10_000;
const WRITTEN_LIMIT = 1000;
const UNTOLD_LIMIT = 20;

/**
 * Shell commands of agents, and which files of other workers may have been changed by them. The watch of a
 * working tree takes a change of such a file for the holder's own, as nothing says who made it; if a command
 * ran at that time, it may have been the command, and its agent should look.
 *
 *     begun ──command ended, turn over, or 10 minutes──▶ ended ──10 seconds──▶ forgotten
 *
 * This is remembered by the process that decides, like the presence of tasks; what is found is in the ledger.
 * Each file is told once for each agent and claim, and a command is told of 100 files at most.
 */
export class ShellCommands {
  /** The oldest first. */
  readonly #commands = new Map<string, Known>();
  /** Who has just said through a hook that it writes a file. */
  readonly #written = new Map<string, { readonly worker: WorkerId; readonly at: Instant }>();
  readonly #told = new Set<string>();
  readonly #untold = new Map<string, TouchedFiles[]>();

  begun(command: ShellCommand, at: Instant): void {
    const key = keyOf(command);
    this.#commands.delete(key);
    this.#commands.set(key, { ...command, from: at, until: undefined, found: 0 });
    dropOldest(this.#commands, COMMANDS_LIMIT);
  }

  ended(command: ShellCommand, at: Instant): void {
    const known = this.#commands.get(keyOf(command));
    if (known !== undefined) known.until ??= at;
  }

  /** The turn or the session of an agent is over, and so are its commands. */
  over({ worker, session }: Pick<ShellCommand, 'worker' | 'session'>, at: Instant): void {
    for (const command of this.#commands.values())
      if (command.worker === worker && command.session === session) command.until ??= at;
    this.#untold.delete(sessionOf({ worker, session }));
  }

  /** A hook has said that its agent writes this file, or has: a change of it is the agent's own. */
  wrote(
    path: string,
    by: { readonly worker: WorkerId; readonly tree: string; readonly at: Instant },
  ): void {
    const { worker, tree, at } = by;
    const key = `${tree}\n${path}`;
    this.#written.delete(key);
    this.#written.set(key, { worker, at });
    dropOldest(this.#written, WRITTEN_LIMIT);
  }

  /** Whether a change in this tree could still be one of a command's. */
  isAtWork(tree: string, now: Instant): boolean {
    for (const command of this.#commands.values())
      if (command.tree === tree && endOf(command) + MEMORY_MS > now) return true;
    return false;
  }

  /** What the ledger is told of changes; each file of another worker is news once. */
  findings(
    board: BoardModel,
    {
      tree,
      changes,
      now,
    }: { readonly tree: string; readonly changes: readonly Change[]; readonly now: Instant },
  ): readonly TouchedEvent[] {
    this.#forget(now);
    const found = new Map<string, { readonly first: Found; readonly paths: Set<string> }>();
    const here = [...this.#commands.values()].filter((command) => command.tree === tree);
    for (const [command, change] of here.flatMap((each) =>
      changes.map((one) => [each, one] as const),
    ))
      for (const claim of this.#holders(board, command, { change, now })) {
        const key = `${keyOf(command)}\n${claim.key}`;
        const group = found.get(key) ?? { first: { command, claim }, paths: new Set() };
        found.set(key, group);
        group.paths.add(change.path);
      }
    return [...found.values()].flatMap(({ first, paths }) =>
      this.#tell(board, first, { paths: [...paths], now }),
    );
  }

  /** What an agent has not been told yet, for the answer to its hook. */
  take(session: Pick<ShellCommand, 'worker' | 'session'>): readonly TouchedFiles[] {
    const untold = this.#untold.get(sessionOf(session)) ?? [];
    this.#untold.delete(sessionOf(session));
    return untold;
  }

  *#holders(
    board: BoardModel,
    command: Known,
    { change, now }: { readonly change: Change; readonly now: Instant },
  ): Generator<FileClaim, void> {
    const { path } = change;
    const { worker, tree, inside } = command;
    if (command.found >= FOUND_LIMIT) return;
    if (change.until < command.from || change.from > endOf(command)) return;
    for (const claim of claimsOnFile(board, { path, tree, own: [worker], now })) {
      const { task, since } = claim;
      const isInside = task !== undefined && task.run === inside?.run && task.id === inside.task;
      if (isInside || !isHolding(claim) || (since !== undefined && since > change.until)) continue;
      const key = `${worker}\n${claim.key}\n${path}`;
      if (this.#told.has(key) || this.#saysItself(claim, { tree, change })) continue;
      if (command.found >= FOUND_LIMIT) return;
      command.found += 1;
      this.#told.add(key);
      dropOldest(this.#told, TOLD_LIMIT);
      yield claim;
    }
  }

  #saysItself(
    { worker }: FileClaim,
    { tree, change }: { readonly tree: string; readonly change: Change },
  ): boolean {
    const written = this.#written.get(`${tree}\n${change.path}`);
    return written?.worker === worker && laterBy(written.at, MEMORY_MS) >= change.from;
  }

  #tell(
    board: BoardModel,
    { command, claim }: Found,
    { paths, now: at }: { readonly paths: readonly string[]; readonly now: Instant },
  ): readonly TouchedEvent[] {
    const { worker, tree } = command;
    const { owner, worker: holder } = claim;
    const event = { at, worker, holder, tree, paths };
    const session = sessionOf(command);
    const untold = this.#untold.get(session) ?? [];
    if (owner.kind === 'person') {
      this.#untold.set(session, [...untold, { paths, holder }].slice(-UNTOLD_LIMIT));
      return [{ kind: 'takenFilesChanged', ...event }];
    }
    const { run, task } = owner;
    const term = board.find(run, task)?.claim?.holder.term;
    if (term === undefined) return [];
    this.#untold.set(session, [...untold, { paths, holder, task }].slice(-UNTOLD_LIMIT));
    dropOldest(this.#untold, COMMANDS_LIMIT);
    return [{ kind: 'heldFilesChanged', ...event, run, task, term }];
  }

  #forget(now: Instant): void {
    for (const [key, command] of this.#commands)
      if (endOf(command) + MEMORY_MS <= now) this.#commands.delete(key);
  }
}

interface Found {
  readonly command: Known;
  readonly claim: FileClaim;
}

/**
 * Whether the claim keeps others from writing the file here. A lost attempt does not count, and a file that
 * is open in an editor is looked after by that editor, which knows what it has saved itself.
 */
function isHolding({ how, isInOtherTree, owner }: FileClaim): boolean {
  if (how !== 'writes' || isInOtherTree || owner.kind === 'leftover') return false;
  return owner.kind === 'task' || !owner.isUnsaved;
}

function endOf({ from, until }: Known): Instant {
  return until ?? laterBy(from, LONGEST_MS);
}

function keyOf(command: ShellCommand): string {
  return JSON.stringify([command.tree, command.worker, command.session, command.call]);
}

function sessionOf({ worker, session }: Pick<ShellCommand, 'worker' | 'session'>): string {
  return JSON.stringify([worker, session]);
}

function dropOldest(
  map: { readonly size: number; keys(): Iterator<string>; delete(key: string): boolean },
  limit: number,
): void {
  while (map.size > limit) {
    const { value, done } = map.keys().next();
    if (done === true) return;
    map.delete(value);
  }
}
