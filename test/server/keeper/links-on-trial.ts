import { expect, onTestFinished } from 'vitest';
import { parseRunId, parseTaskId, parseWorkerId } from '../../../server/domain/ids.ts';
import { instant } from '../../../server/domain/time.ts';
import type { BoardCalls } from '../../../server/engine/board-calls.ts';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import type { RunRequest } from '../../../server/engine/run-request.ts';
import type { BoardLink, LinkListener, LinkServer } from '../../../server/keeper/links.ts';
import { SocketLinks, type SocketLinksOptions } from '../../../server/keeper/socket-links.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What happened, a line each. */
export class Notes {
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();

  add(line: string): void {
    this.lines.push(line);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo())
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
  }

  async untilLine(line: string): Promise<void> {
    await this.until(() => this.lines.includes(line));
  }
}

type Answers = { readonly [Call in keyof BoardCalls]?: () => ReturnType<BoardCalls[Call]> };

const NOTED = {
  kind: 'noted',
  worker: parseWorkerId('agent/a')!,
  refused: [],
  touched: [],
  now: instant(1),
} as const;

/** A board that answers what it is told to, and notes what it was asked. */
class BoardOnTrial implements BoardCalls {
  readonly notes = new Notes();
  readonly asked: { readonly call: keyof BoardCalls; readonly args: readonly unknown[] }[] = [];
  answers: Answers = {};

  submit: BoardCalls['submit'] = async (...args) => {
    this.#note('submit', args);
    return (await this.answers.submit?.()) ?? { kind: 'busy' };
  };

  submitTogether: BoardCalls['submitTogether'] = async (...args) => {
    this.#note('submitTogether', args);
    return (await this.answers.submitTogether?.()) ?? [{ kind: 'busy' }];
  };

  control: BoardCalls['control'] = async (...args) => {
    this.#note('control', args);
    return (await this.answers.control?.()) ?? { kind: 'accepted' };
  };

  claim: BoardCalls['claim'] = async (...args) => {
    this.#note('claim', args);
    return (await this.answers.claim?.()) ?? { kind: 'nothing-to-claim' };
  };

  say: BoardCalls['say'] = async (...args) => {
    this.#note('say', args);
    return (await this.answers.say?.()) ?? { kind: 'accepted' };
  };

  own: BoardCalls['own'] = async (...args) => {
    this.#note('own', args);
    return (await this.answers.own?.()) ?? { kind: 'accepted', warnings: [] };
  };

  hook: BoardCalls['hook'] = async (...args) => {
    this.#note('hook', args);
    return (await this.answers.hook?.()) ?? NOTED;
  };

  free: BoardCalls['free'] = async (...args) => {
    this.#note('free', args);
    await this.answers.free?.();
  };

  askRelease: BoardCalls['askRelease'] = async (...args) => {
    this.#note('askRelease', args);
    return (await this.answers.askRelease?.()) ?? { kind: 'accepted' };
  };

  greet: BoardCalls['greet'] = async (...args) => {
    this.#note('greet', args);
    await this.answers.greet?.();
  };

  leave: BoardCalls['leave'] = async (...args) => {
    this.#note('leave', args);
    await this.answers.leave?.();
  };

  told: BoardCalls['told'] = async (...args) => {
    this.#note('told', args);
    await this.answers.told?.();
  };

  #note(call: keyof BoardCalls, args: readonly unknown[]): void {
    this.asked.push({ call, args });
    const said = { leave: 'left', free: 'freed' };
    this.notes.add(call === 'leave' || call === 'free' ? `${said[call]} ${String(args[0])}` : call);
  }
}

/** One board directory with a ledger, and the processes that come to it. */
export class Place {
  readonly directory = temporaryFolder();
  readonly ledger: LedgerEntry[] = [];
  readonly faults: unknown[] = [];
  readonly notes = new Notes();
  readonly board = new BoardOnTrial();

  links(options: Partial<SocketLinksOptions> = {}): SocketLinks {
    return new SocketLinks({
      directory: this.directory,
      role: 'window',
      name: 'a test',
      build: '1.0.0',
      events: (after, limit) =>
        this.ledger.filter(({ sequence }) => sequence > after).slice(0, limit),
      onFault: (error) => {
        this.faults.push(error);
        this.notes.add('fault');
      },
      ...options,
    });
  }

  async serve(options: Partial<SocketLinksOptions> = {}): Promise<LinkServer> {
    const server = this.links(options).server(() => this.notes.add('yield'));
    onTestFinished(async () => await server.close());
    await server.open(this.board, () => this.ledger.length);
    return server;
  }

  /** Grows by some lines, which nobody is told of yet. */
  write(count: number, name = ''): readonly LedgerEntry[] {
    const first = this.ledger.length + 1;
    const entries = Array.from({ length: count }, (_, index) => lineNumber(first + index, name));
    this.ledger.push(...entries);
    return entries;
  }
}

function lineNumber(sequence: number, agent: string): LedgerEntry {
  return { sequence, event: { kind: 'agentGone', at: instant(sequence), agent } };
}

/** What a process that is connected was told. */
export class Ear implements LinkListener {
  readonly notes = new Notes();
  readonly sequences: number[] = [];

  told(entries: readonly LedgerEntry[]): void {
    this.sequences.push(...entries.map(({ sequence }) => sequence));
    this.notes.add(entries.length === 0 ? 'told nothing' : `told to ${this.sequences.at(-1)}`);
  }

  woken(...[worker, { run, task }]: Parameters<LinkListener['woken']>): void {
    this.notes.add(`woken ${worker} for ${run}/${task}`);
  }

  halted(sentence: string): void {
    this.notes.add(`halted: ${sentence}`);
  }

  gone(): void {
    this.notes.add('gone');
  }
}

export interface Joined {
  readonly link: BoardLink;
  readonly ear: Ear;
}

export async function join(links: SocketLinks, after = 0): Promise<Joined> {
  const ear = new Ear();
  const result = await links.connect(ear, after);
  if (result.kind !== 'connected') throw new Error(`It is ${JSON.stringify(result)}.`);
  onTestFinished(() => result.link.close());
  return { link: result.link, ear };
}

function known<T>(parse: (text: string) => T | undefined, text: string): T {
  const id = parse(text);
  expect(id).toBeDefined();
  return id!;
}

const RUN_ID = known(parseRunId, 'run-0000001');
export const TASK = { run: RUN_ID, task: known(parseTaskId, 'build') };

export function workerNamed(id: string): Worker {
  return {
    id: known(parseWorkerId, id),
    kind: 'agent',
    capabilities: [],
    isIdle: true,
    since: instant(0),
  };
}

export const RUN: RunRequest = {
  id: RUN_ID,
  root: '/projects/app',
  plan: '.interlock.yaml',
  planHash: 'x',
  selection: [],
  requestedBy: 'ann',
  policy: { parallel: 1, failFast: false },
  tasks: [],
  isNew: false,
};
