import { agentNamed } from '../cli/agent-name.ts';
import type { BoardUse } from '../cli/open-board.ts';
import { PathChecker } from '../cli/path-check.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Taking } from '../cli/taking.ts';
import { lostSentence } from '../board/lost-text.ts';
import { displayLine, displayText } from '../domain/display-text.ts';
import { assert } from '../domain/assert.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { pathsIn, shellNote, touchedNote } from '../board/observed-text.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { LostClaim } from '../scheduler/model/losses.ts';
import { agentName } from '../scheduler/model/agent-identity.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { isOfHook } from '../scheduler/requests/hook.ts';
import { HeldTasks } from './held-tasks.ts';

export interface AgentIdentity {
  /** What the user calls it; absent: what its program calls itself. */
  readonly name: string | undefined;
  readonly needs: string | undefined;
  /** Which of several sessions of its process it is; absent where the process is one. */
  readonly session?: string;
}

/** An agent that calls no tool for long is told the latest ones. */
const NOTES_LIMIT = 50;
/** For so long a server of tools waits at its end for the board. */
const LEAVE_MS = 1500;

/** One agent at the board: who it is, what it has, and what it has not been told yet. */
export class AgentDesk {
  readonly use: BoardUse;
  readonly held: HeldTasks;
  readonly #identity: AgentIdentity;
  readonly #takings = new Set<Taking>();
  readonly #notes: string[] = [];
  /** Paths that changed while it had a task which does not declare them, and were not told yet. */
  readonly #undeclared = new Map<
    string,
    { readonly paths: Set<string>; readonly others: boolean }
  >();
  /** Claims that were found to be over when they were to be renewed, by their terms. */
  readonly #lost = new Map<number, Pick<LostClaim, 'task' | 'term'>>();
  #worker: Worker | undefined;
  #meeting: Promise<void> | undefined;
  #checker: PathChecker | undefined;

  constructor(use: BoardUse, identity: AgentIdentity) {
    this.use = use;
    this.#identity = identity;
    this.held = new HeldTasks(use, {
      worker: () => this.worker.id,
      tell: (note) => void this.#notes.push(displayText(note)),
      lost: ({ task, term }) => void this.#lost.set(term, { task, term }),
    });
  }

  /** The agent, as soon as it has said what it is. Who has been here before has what it had. */
  async meet(program: string | undefined): Promise<void> {
    this.#meeting ??= this.#arrive(program);
    try {
      await this.#meeting;
    } catch (error) {
      // Whoever asks next tries again.
      this.#meeting = undefined;
      throw error;
    }
  }

  get worker(): Worker {
    assert(this.#worker !== undefined, 'whoever calls a tool has been met');
    return this.#worker;
  }

  get checker(): PathChecker {
    this.#checker ??= new PathChecker(this.use, this.worker.id);
    return this.#checker;
  }

  /** What has happened since it was last told something; it is told once. */
  takeNotes(): readonly string[] {
    const undeclared = Array.from(this.#undeclared, ([task, { paths, others }]) =>
      undeclaredNote(task, { paths, others }),
    );
    this.#undeclared.clear();
    return [...this.#notes.splice(0), ...undeclared];
  }

  /** Claims that it has lost. The board knows from then on that it knows. */
  takeLosses(): readonly string[] {
    const lost = new Map(this.#lost);
    this.#lost.clear();
    if (this.#worker === undefined) return [];
    const { id } = this.#worker;
    const { calls, board } = this.use.open.keeper;
    const untold = board.losses.of(id);
    for (const claim of untold) lost.set(claim.term, claim);
    const terms = untold.map(({ term }) => term);
    // Where that fails it is told once more.
    if (terms.length > 0) calls.told(id, terms).catch(() => {});
    return Array.from(lost.values(), lostSentence);
  }

  /** Something that waits hears of what happens for as long as `work` takes. */
  async whileTaking<T>(taking: Taking, work: () => Promise<T>): Promise<T> {
    this.#takings.add(taking);
    try {
      return await work();
    } finally {
      this.#takings.delete(taking);
    }
  }

  changed(entries: readonly LedgerEntry[]): void {
    for (const taking of this.#takings) taking.changed(entries);
    for (const { event } of entries) {
      this.#noteUndeclared(event);
      this.#noteShell(event);
      // The connection to the coordinator was lost, and is there again.
      const isLeft = event.kind === 'taskMoved' && event.event.kind === 'holderLeft';
      if (isLeft) void this.held.renewNow(event.event.term);
    }
  }

  /**
   * Its tasks stay its own for a grace: an agent may only be connecting again. The files that its hook took
   * do not: the next write takes them again.
   */
  async leave(): Promise<void> {
    for (const taking of this.#takings) taking.interrupt();
    this.held[Symbol.dispose]();
    if (this.#worker === undefined) return;
    const { id } = this.#worker;
    await this.#inTime(Promise.all([this.#freeHookFiles(id), this.#sayGoodbye(id)]));
  }

  async #sayGoodbye(worker: WorkerId): Promise<void> {
    const { terminal, open } = this.use;
    const terms = this.held.all.map(({ term }) => term);
    const left = terms.length > 0 && (await starterHasEnded(terminal, open)) ? 'ended' : 'unknown';
    await open.keeper.calls.leave(worker, { terms, left });
  }

  async #freeHookFiles(worker: WorkerId): Promise<void> {
    const { keeper } = this.use.open;
    const taken = [...keeper.board.owners.people].filter(
      ([id, owner]) => owner.worker === worker && isOfHook(id),
    );
    await Promise.all(taken.map(async ([id]) => await keeper.calls.free(id)));
  }

  /** A board that does not answer does not keep this process: what is not freed ends by itself. */
  async #inTime(work: Promise<unknown>): Promise<void> {
    const { terminal, open } = this.use;
    const late = Promise.withResolvers<void>();
    using _ = open.alarm.after(LEAVE_MS, late.resolve);
    const said = work.catch((error: unknown) => {
      terminal.err(`What the agent had stays its own for a while: ${String(error)}\n`);
    });
    await Promise.race([said, late.promise]);
  }

  /** A shell command may write anything, and no hook sees which files it writes. */
  #noteUndeclared(event: BoardEvent): void {
    if (event.kind !== 'undeclaredWritten' && event.kind !== 'writtenByOneOf') return;
    const [by, paths] =
      event.kind === 'undeclaredWritten' ? [[event], [event.path]] : [event.by, event.paths];
    const terms = new Set(this.held.all.map(({ term }) => term));
    const own = by.find(({ term }) => terms.has(term));
    if (own === undefined) return;
    const known = this.#undeclared.get(own.task);
    const others = known?.others === true || by.length > 1;
    this.#undeclared.set(own.task, { paths: new Set([...(known?.paths ?? []), ...paths]), others });
  }

  /** It may have written files of others by a shell command, or others its own. */
  #noteShell(event: BoardEvent): void {
    if (event.kind !== 'heldFilesChanged' && event.kind !== 'takenFilesChanged') return;
    const { worker, holder, paths } = event;
    const own = this.#worker?.id;
    const task = event.kind === 'heldFilesChanged' ? { task: event.task } : {};
    if (worker === own) this.#notes.push(shellNote({ paths, holder, ...task }));
    else if (holder === own) this.#notes.push(touchedNote(paths, { worker, ...task }));
    if (this.#notes.length > NOTES_LIMIT) this.#notes.splice(0, 1);
  }

  /** Its sessions speak for themselves from now on. What it holds stays its own. */
  async withdraw(): Promise<void> {
    await this.#meeting;
    if (this.#worker !== undefined && this.held.all.length === 0)
      await this.use.open.keeper.calls.leave(this.#worker.id);
  }

  async #arrive(program: string | undefined): Promise<void> {
    const { args, terminal, open, takePart } = this.use;
    const { name, needs } = this.#identity;
    const [mark] = terminal.callers();
    // Where it is not known what started it, its hooks find it by the session that both are told.
    const told = mark === undefined ? sessionIn(terminal.env) : undefined;
    const session = this.#identity.session ?? told;
    const marked = { mark, ...(session !== undefined && { session }) };
    const read = agentNamed(name ?? agentName(program ?? 'agent', marked), needs);
    if (read.kind === 'refused') throw new RangeError(read.message);
    // Nobody wakes it: it comes when its model says so.
    const since = open.clock.now();
    const worker: Worker = { ...read.worker, isIdle: false, root: args.folder, since };
    this.#worker = worker;
    await takePart();
    await open.keeper.calls.greet(worker);
    for (const { holder, entry } of open.keeper.board.claims.pulled)
      if (holder.worker === worker.id)
        this.held.keep({ run: entry.run.manifest.id, task: entry.id, ...holder });
    await Promise.all(this.held.all.map(async ({ term }) => await this.held.renewNow(term)));
  }
}

/** A process that is killed closes its pipes a moment before the system gives its children to another. */
const ENDING = { stepMs: 20, steps: 25 } as const;

/**
 * Whether the process that started this server has ended: the agent, or a wrapper that waits for this
 * server as well, and then nothing is known of the agent.
 */
async function starterHasEnded(
  terminal: Pick<Terminal, 'starterHasEnded'>,
  { alarm }: Pick<BoardUse['open'], 'alarm'>,
): Promise<boolean> {
  for (let step = 0; step < ENDING.steps; step += 1) {
    if (terminal.starterHasEnded()) return true;
    const waited = Promise.withResolvers<void>();
    using _ = alarm.after(ENDING.stepMs, waited.resolve);
    await waited.promise;
  }
  return terminal.starterHasEnded();
}

/** No process has so many sessions at a time; more of them share one desk. */
const SESSIONS_LIMIT = 200;

/**
 * The agents of one process: some start one server of tools for all their sessions, and say with each call
 * which session it is. Each session is a worker of its own, unless the user has named them all.
 */
export class AgentDesks {
  readonly #use: BoardUse;
  readonly #identity: AgentIdentity;
  readonly #whole: AgentDesk;
  readonly #ofSessions = new Map<string, AgentDesk>();

  constructor(use: BoardUse, identity: AgentIdentity) {
    this.#use = use;
    this.#identity = identity;
    this.#whole = new AgentDesk(use, identity);
  }

  of(session?: string): AgentDesk {
    if (session === undefined || this.#identity.name !== undefined) return this.#whole;
    const known = this.#ofSessions.get(session);
    if (known !== undefined) return known;
    if (this.#ofSessions.size >= SESSIONS_LIMIT) return this.#whole;
    const desk = new AgentDesk(this.#use, { ...this.#identity, session });
    this.#ofSessions.set(session, desk);
    // Where that fails, a worker is shown that does nothing.
    this.#whole.withdraw().catch(() => {});
    return desk;
  }

  changed(entries: readonly LedgerEntry[]): void {
    for (const desk of this.#all) desk.changed(entries);
  }

  async leave(): Promise<void> {
    for (const desk of this.#all) await desk.leave();
  }

  get #all(): readonly AgentDesk[] {
    return [this.#whole, ...this.#ofSessions.values()];
  }
}

/** Claude Code and Copilot tell their servers of tools in which session they were started. */
function sessionIn(env: NodeJS.ProcessEnv): string | undefined {
  return env['CLAUDE_CODE_SESSION_ID'] || env['COPILOT_AGENT_SESSION_ID'] || undefined;
}

/** The board sees that files change, and not who changes them. */
function undeclaredNote(
  task: string,
  { paths, others }: { readonly paths: ReadonlySet<string>; readonly others: boolean },
): string {
  const also = others ? ' Other tasks were at work as well.' : '';
  return displayLine(
    `While you had "${task}", files changed that it does not declare in "writes": ${pathsIn(paths)}.${also} ` +
      'If you wrote them, by a shell command for instance, ask check_paths before you write more of them. If you did not, leave them alone.',
  );
}
