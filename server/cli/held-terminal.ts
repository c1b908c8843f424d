import { displayText } from '../domain/display-text.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { Command } from '../domain/task.ts';
import { formatDuration } from '../domain/time.ts';
import type { Alarm, AttachedCommand, CommandEnd, Launch } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import type { Grant, LedgerEntry } from '../engine/store-port.ts';
import type { Saying } from '../scheduler/requests/settle.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noteInLog } from './note-in-log.ts';
import type { BoardUse } from './open-board.ts';
import { errLine } from './say.ts';
import type { Interrupt, Terminal } from './terminal.ts';

/** Two renewals may come late before the lease ends. */
const RENEWALS = 3;
const LEASE_MS = 30_000;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;
/** What was typed before comes at once; nobody reads a line so soon. */
const TYPED_AHEAD_MS = 300;

interface Holding {
  readonly use: BoardUse;
  readonly worker: WorkerId;
  readonly grant: Grant;
  readonly launch: Launch;
}

/**
 * A command in this terminal, under a claim. It is ended when the claim is, when somebody wants the
 * task to end, and when the terminal is closed.
 */
export class HeldTerminal {
  readonly #terminal: Terminal;
  readonly #closed = Promise.withResolvers<void>();
  #alarm: Alarm | undefined;
  #holding: Holding | undefined;
  #command: AttachedCommand | undefined;
  #stopped: 'terminate' | 'kill' | undefined;
  #closedBy: NodeJS.Signals | undefined;
  /** The board that this process sees may not have the claim yet. */
  #hasSeenClaim = false;
  #isClaimOver = false;
  #renewal: Disposable | undefined;
  #grace: Disposable | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.onInterrupt((kind, signal) => this.#interrupted(kind, signal));
  }

  get hasRun(): boolean {
    return this.#command !== undefined;
  }

  /** Until whoever is there has read how it ended. What they typed before that was for the command. */
  async untilSeen(): Promise<void> {
    // Without anybody there, nothing would ever be typed.
    if (!this.#terminal.isAttended) return;
    this.#terminal.err('Press any key to close this terminal.\n');
    void this.#terminal.keyPressed();
    await Promise.race([this.#typedAhead(), this.#closed.promise]);
    await Promise.race([this.#terminal.keyPressed(), this.#closed.promise]);
  }

  async run(use: BoardUse, claimed: Omit<Holding, 'use'>): Promise<ExitCode> {
    const holding = { use, ...claimed };
    this.#holding = holding;
    this.#alarm = use.open.alarm;
    const { open } = use;
    const { launch } = claimed;
    // The first renewal says that it begins. Before it nothing is done.
    if (!(await this.#renew(holding))) return this.#over(holding);
    const logFile = open.logFile({ ...launch, task: launch.definition.id });
    noteInLog(logFile, 'It runs in a terminal: what it writes is only there.', this.#terminal);
    errLine(this.#terminal, titleOf(launch));
    this.#terminal.err('\n');
    const startedAt = open.clock.now();
    const proof = open.proofs.of({ ...launch, task: launch.definition.id });
    this.#command = this.#terminal.attach(launch, proof);
    this.#keep(holding);
    // Something may have been wanted while it started.
    this.look([]);
    const end = await this.#command.ended;
    this.#renewal?.[Symbol.dispose]();
    this.#grace?.[Symbol.dispose]();
    if (this.#isClaimOver) return this.#over(holding);
    const says = this.#sayingOf(end);
    const after = `after ${formatDuration(open.clock.now() - startedAt)}`;
    noteInLog(logFile, `It ${endText(says)} ${after}.`, this.#terminal);
    this.#holding = undefined;
    if (!(await say(holding, says))) return this.#over(holding);
    this.#terminal.err(`\n${launch.definition.id} ${endText(says)} ${after}.\n`);
    return says.kind === 'completed' ? EXIT.done : EXIT.failed;
  }

  /** Something has happened on the board. */
  look(_entries: readonly LedgerEntry[]): void {
    if (this.#holding === undefined || this.#command === undefined) return;
    const { use, grant } = this.#holding;
    const holder = use.open.keeper.board.find(grant.run, grant.task)?.claim?.holder;
    const isOurs = holder?.term === grant.term;
    this.#hasSeenClaim ||= isOurs;
    if (!isOurs && this.#hasSeenClaim) this.#lose();
    else if (isOurs && holder.stop !== undefined) this.#stop(holder.stop.signal);
  }

  async #typedAhead(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#alarm?.after(TYPED_AHEAD_MS, resolve);
    });
  }

  #interrupted(kind: Interrupt, signal: NodeJS.Signals | undefined): void {
    if (kind === 'alone') this.#closed.resolve();
    // The terminal sends Ctrl-C to the command as well, and what it means is for the command to say.
    if (this.#command !== undefined && signal === 'SIGINT') return;
    // When we ask the command to end, we hear of it ourselves.
    if (this.#command !== undefined && this.#stopped !== undefined) return;
    this.#closedBy = signal;
    if (this.#command === undefined) this.#terminal.abort(EXIT.interrupted);
    else this.#stopInTime();
  }

  #keep(holding: Holding): void {
    const everyMs = (holding.grant.leaseMs ?? LEASE_MS) / RENEWALS;
    this.#renewal = holding.use.open.alarm.after(everyMs, () => {
      void this.#renewAgain(holding);
    });
  }

  /** A store that does not work now may work again before the lease has ended. */
  async #renewAgain(holding: Holding): Promise<void> {
    try {
      if (!(await this.#renew(holding))) this.#lose();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    if (this.#holding !== undefined && !this.#isClaimOver) this.#keep(holding);
  }

  async #renew(holding: Holding): Promise<boolean> {
    return await say(holding, { kind: 'renew' });
  }

  /** Somebody else may have the task already: what the command does from now on does not count. */
  #lose(): void {
    if (this.#holding === undefined || this.#isClaimOver) return;
    this.#isClaimOver = true;
    this.#stopInTime();
  }

  #stopInTime(): void {
    this.#stop('terminate');
    this.#grace ??= this.#holding?.use.open.alarm.after(GRACE_MS, () => this.#stop('kill'));
  }

  #stop(signal: 'terminate' | 'kill'): void {
    if (this.#stopped === signal || this.#stopped === 'kill') return;
    this.#stopped = signal;
    this.#command?.signal(signal);
  }

  #sayingOf(end: CommandEnd): Saying {
    const signal = this.#closedBy;
    if (signal !== undefined) return { kind: 'failed', failure: { kind: 'signal', signal } };
    return end.kind === 'succeeded' ? { kind: 'completed' } : end;
  }

  #over({ launch }: Holding): ExitCode {
    this.#terminal.err(`\nThe claim on "${launch.definition.id}" is over, and so is this.\n`);
    return EXIT.refused;
  }
}

/** Answers whether the claim still counts. Where nobody answers now, it is said again in time. */
async function say({ use, worker, grant }: Holding, says: Saying): Promise<boolean> {
  const { run, task, term } = grant;
  const by = { kind: 'worker', worker } as const;
  const request = { run, task, term, by, says };
  const reply = await use.open.keeper.calls.say(request, use.world.ids.operation());
  return reply.kind === 'accepted';
}

function titleOf({ definition: { id, command } }: Launch): string {
  return displayText(`${id}: ${command === undefined ? '' : commandText(command)}`);
}

function commandText(command: Command): string {
  return command.kind === 'shell' ? command.script : [command.file, ...command.args].join(' ');
}

function endText(says: Saying): string {
  if (says.kind === 'completed') return 'completed';
  if (says.kind !== 'failed') return 'was lost';
  const { failure } = says;
  switch (failure.kind) {
    case 'exit':
      return `failed with exit code ${failure.code}`;
    case 'signal':
      return `was ended by ${failure.signal}`;
    case 'timeout':
      return 'took too long';
    case 'not-started':
      return `did not start. ${failure.message} It ended`;
    default:
      return failure satisfies never;
  }
}
