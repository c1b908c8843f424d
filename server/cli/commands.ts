import type { ParseArgsConfig } from 'node:util';
import { check } from './check.ts';
import { claim } from './claim.ts';
import { controlCommand } from './control.ts';
import { exportBundle } from './export.ts';
import { holderCommand } from './hold.ts';
import { init } from './init.ts';
import { log } from './log.ts';
import { ready } from './ready.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import type { Perform } from './terminal.ts';
import { timeline } from './timeline.ts';
import { where } from './where.ts';
import { why } from './why.ts';

export interface CommandDefinition {
  readonly usage: string;
  readonly does: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** How many words it takes beside its options; absent: any number. */
  readonly wordLimit?: number;
  /** Without so many there is nothing to do. */
  readonly wordMinimum?: number;
  /** It is about the board of the task in which it runs, unless somebody says otherwise. */
  readonly isInsideTask?: boolean;
  /** It is about the folder in which it is typed, whatever is above it. */
  readonly isHere?: boolean;
  readonly perform: Perform;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
/** Which of several tasks of one name. */
const WHICH = { plan: TEXT, run: TEXT };

const HOLDER = { wordLimit: 1, isInsideTask: true };
const CONTROL = { wordLimit: 1, options: WHICH };

/** In the order of the help. */
export const COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map<string, CommandDefinition>([
  [
    'init',
    {
      usage: 'init',
      wordLimit: 0,
      does: 'Writes a small interlock.yaml into a folder that has no plan.',
      isHere: true,
      perform: init,
    },
  ],
  [
    'check',
    {
      usage: 'check [FILE…] [--quiet]',
      options: { quiet: { ...FLAG, short: 'q' } },
      does: 'Shows the problems of plans as file:line:col severity code message.',
      perform: check,
    },
  ],
  [
    'run',
    {
      usage:
        'run [TASK…] [--plan FILE] [--parallel N] [--keep-going | --fail-fast] [--new] [--dry-run]',
      does: 'Runs tasks and what they need, or all of them. Ctrl-C stops cleanly.',
      options: {
        plan: TEXT,
        parallel: TEXT,
        'fail-fast': FLAG,
        'keep-going': FLAG,
        new: FLAG,
        'dry-run': FLAG,
      },
      perform: run,
    },
  ],
  [
    'status',
    {
      usage: 'status [--watch]',
      wordLimit: 0,
      does: 'Shows runs, every task and its state, and who decides.',
      options: { watch: { ...FLAG, short: 'w' } },
      perform: status,
    },
  ],
  [
    'ready',
    {
      usage: 'ready [--as NAME [--kind agent|person] [--needs A,B]]',
      wordLimit: 0,
      does: 'Shows what may start or be claimed now, in the order in which it is served.',
      options: { as: TEXT, kind: TEXT, needs: TEXT },
      perform: ready,
    },
  ],
  [
    'why',
    {
      usage: 'why TASK [--plan FILE] [--run RUN]',
      wordLimit: 1,
      wordMinimum: 1,
      does: 'Says what keeps a task from starting, and what would clear it.',
      options: WHICH,
      perform: why,
    },
  ],
  [
    'runs',
    {
      usage: 'runs [--limit N]',
      wordLimit: 0,
      does: 'Shows the runs of the repository, the newest first.',
      options: { limit: TEXT },
      perform: runs,
    },
  ],
  [
    'timeline',
    {
      usage: 'timeline [RUN]',
      wordLimit: 1,
      does: 'Shows what happened in a run, or in the newest one.',
      perform: timeline,
    },
  ],
  [
    'log',
    {
      usage: 'log [TASK] [-f | --tail N] [--attempt N] [--plan FILE] [--run RUN]',
      wordLimit: 1,
      does: 'Prints what the newest attempt at a task has written; -f goes on until the task ends.',
      options: { ...WHICH, attempt: TEXT, tail: TEXT, follow: { ...FLAG, short: 'f' } },
      perform: log,
    },
  ],
  [
    'claim',
    {
      usage:
        'claim [TASK] --as NAME [--kind agent|person] [--needs A,B] [--lease D] [--wait] [--plan FILE] [--run RUN]',
      wordLimit: 1,
      does: 'Takes a task, or the first that fits; --needs says what you are able to do.',
      options: { ...WHICH, as: TEXT, kind: TEXT, needs: TEXT, lease: TEXT, wait: FLAG },
      perform: claim,
    },
  ],
  [
    'renew',
    {
      ...HOLDER,
      usage: 'renew [TASK] [--term N] [--lease D] [--plan FILE] [--run RUN]',
      does: 'Says that you are at work on a task, and keeps it for another lease.',
      options: { ...WHICH, term: TEXT, lease: TEXT },
      perform: holderCommand('renew'),
    },
  ],
  [
    'done',
    {
      ...HOLDER,
      usage: 'done [TASK] [--term N] [--plan FILE] [--run RUN]',
      does: 'Completes a task that you hold.',
      options: { ...WHICH, term: TEXT },
      perform: holderCommand('done'),
    },
  ],
  [
    'fail',
    {
      ...HOLDER,
      usage: 'fail [TASK] [--term N] [--message TEXT] [--exit-code N] [--plan FILE] [--run RUN]',
      does: 'Says that a task that you hold cannot be done.',
      options: { ...WHICH, term: TEXT, message: TEXT, 'exit-code': TEXT },
      perform: holderCommand('fail'),
    },
  ],
  [
    'release',
    {
      ...HOLDER,
      usage: 'release [TASK] [--term N] [--plan FILE] [--run RUN]',
      does: 'Gives a task back that you hold, for somebody else.',
      options: { ...WHICH, term: TEXT },
      perform: holderCommand('release'),
    },
  ],
  [
    'retry',
    {
      ...CONTROL,
      usage: 'retry TASK [--plan FILE] [--run RUN]',
      wordMinimum: 1,
      does: 'Lets a task of an unfinished run begin anew.',
      perform: controlCommand('retry'),
    },
  ],
  [
    'cancel',
    {
      usage: 'cancel TASK [--plan FILE] [--run RUN] | cancel --run RUN | cancel --all',
      wordLimit: 1,
      does: 'Ends a task, a run, or all unfinished runs of the folder.',
      options: { ...WHICH, all: FLAG },
      perform: controlCommand('cancel'),
    },
  ],
  [
    'pause',
    {
      ...CONTROL,
      usage: 'pause [TASK] [--plan FILE] [--run RUN]',
      does: 'Starts nothing more, or not this task; what runs goes on.',
      perform: controlCommand('pause'),
    },
  ],
  [
    'resume',
    {
      ...CONTROL,
      usage: 'resume [TASK] [--plan FILE] [--run RUN]',
      does: 'Lets everything go on, or this task.',
      perform: controlCommand('resume'),
    },
  ],
  [
    'answer',
    {
      ...CONTROL,
      usage: 'answer TASK [--plan FILE] [--run RUN]',
      wordMinimum: 1,
      does: 'Lets a task go on that had a question, when you have answered it.',
      perform: controlCommand('answer'),
    },
  ],
  [
    'serve',
    {
      usage: 'serve',
      wordLimit: 0,
      does: 'Decides for the repository without an editor, until Ctrl-C.',
      perform: serve,
    },
  ],
  [
    'where',
    {
      usage: 'where',
      wordLimit: 0,
      does: 'Prints where the state of this repository is kept.',
      perform: where,
    },
  ],
  [
    'export',
    {
      usage: 'export [FILE] [--redact]',
      wordLimit: 1,
      does: 'Writes all that was decided into one file for a bug report, without the values of variables.',
      options: { redact: FLAG },
      perform: exportBundle,
    },
  ],
]);
