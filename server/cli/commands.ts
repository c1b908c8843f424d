import { AGENT_COMMANDS } from './agent-commands.ts';
import { check } from './check.ts';
import { claim } from './claim.ts';
import { type CommandDefinition, flag, NEEDS, option, WHICH } from './command-definition.ts';
import { completion } from './completion.ts';
import { CONTROL_COMMANDS } from './control-commands.ts';
import { EXIT } from './exit-code.ts';
import { doctor } from './doctor.ts';
import { exportBundle } from './export.ts';
import { graph } from './graph.ts';
import { holderCommand } from './hold.ts';
import { TERMINAL_COMMAND } from './in-terminal.ts';
import { HOSTS_COMMAND } from './hosts.ts';
import { init } from './init.ts';
import { log } from './log.ts';
import { own } from './own.ts';
import { ready } from './ready.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { serve } from './serve.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { status } from './status.ts';
import { timeline } from './timeline.ts';
import { where } from './where.ts';
import { why } from './why.ts';

const TERM = {
  term: option('N', 'which claim it is, as "claim" printed it; default: INTERLOCK_TERM'),
  as: option('NAME', 'who you are, as "claim" was told; default: INTERLOCK_WORKER'),
};
const AS = option('NAME', 'who you are: the worker agent/NAME or person/NAME');
const KIND = option('agent|person', 'default: person for a task that is for one, else agent');

const HOLDER = {
  wordLimit: 1,
  isInsideTask: true,
  exits: { [EXIT.refused]: 'the claim is over, and what was done under it does not count' },
};

/** In the order of the help. */
export const COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map<string, CommandDefinition>([
  [
    'init',
    {
      usage: 'init [--for KIND | --from-tasks]',
      wordLimit: 0,
      does: 'Writes an interlock.yaml that fits the folder, where there is no plan.',
      options: {
        for: option('KIND', 'npm, cargo, go, python, make or small; default: the first that fits'),
        'from-tasks': flag('takes over the tasks of .vscode/tasks.json'),
      },
      examples: ['init', 'init --for make'],
      exits: { [EXIT.refused]: 'there is a plan already' },
      isHere: true,
      perform: init,
    },
  ],
  [
    'check',
    {
      usage: 'check [FILE…] [--quiet]',
      does: 'Shows the problems of plans as file:line:col severity code message.',
      options: { quiet: flag('errors only: warnings are neither shown nor counted', 'q') },
      examples: ['check --quiet interlock.yaml'],
      exits: { [EXIT.failed]: 'there are problems, warnings included' },
      perform: check,
    },
  ],
  [
    'run',
    {
      usage:
        'run [TASK…] [--plan FILE] [--on HOST] [--parallel N] [--keep-going | --fail-fast] [--new] [--dry-run]',
      does: 'Runs tasks and what they need, or all of them. Ctrl-C stops cleanly.',
      options: {
        plan: option('FILE', 'only this plan; default: all plans of the folder'),
        on: option('HOST', 'where the tasks that are named run this once; "local" is here'),
        parallel: option(
          'N',
          'how many tasks run here at once; default: what the plan says, else cores',
        ),
        'keep-going': flag('after a failure everything else goes on (default)'),
        'fail-fast': flag('after a failure nothing more starts'),
        new: flag('another run, where an unfinished one of the same tasks would be joined'),
        'dry-run': flag('only says what would run, in which order'),
      },
      examples: ['run', 'run bread --parallel 2'],
      exits: {
        [EXIT.failed]: 'not all completed, or some were left out',
        [EXIT.usage]: 'wrong usage, names or plan',
        [EXIT.deadlocked]: 'the rest can never start',
        [EXIT.refused]: 'other tasks of the plan are being run, or too many wait',
        [EXIT.interrupted]: 'stopped by Ctrl-C',
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
      options: { watch: flag('shows it again when it changes, until Ctrl-C', 'w') },
      examples: ['status', 'status --watch'],
      exits: { [EXIT.usage]: 'wrong usage, or no plan', [EXIT.interrupted]: '--watch was ended' },
      perform: status,
    },
  ],
  [
    'ready',
    {
      usage: 'ready [--as NAME [--kind agent|person] [--needs A,B]]',
      wordLimit: 0,
      does: 'Shows what may start or be claimed now, in the order in which it is served.',
      options: {
        as: option('NAME', 'only what this worker could claim'),
        kind: KIND,
        needs: NEEDS,
      },
      examples: ['ready', 'ready --as robin --needs gpu'],
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
      examples: ['why shopping'],
      exits: { [EXIT.usage]: 'wrong usage, or no such task' },
      perform: why,
    },
  ],
  [
    'runs',
    {
      usage: 'runs [--limit N]',
      wordLimit: 0,
      does: 'Shows the runs of the repository, the newest first.',
      options: { limit: option('N', 'at most so many; default: 20') },
      examples: ['runs --limit 5'],
      perform: runs,
    },
  ],
  [
    'timeline',
    {
      usage: 'timeline [RUN] [--svg FILE]',
      wordLimit: 1,
      does: 'Shows what happened in a run, or in the newest one.',
      options: { svg: option('FILE', 'draws it into a file; "-" is the output') },
      examples: ['timeline', 'timeline --svg run.svg'],
      exits: { [EXIT.usage]: 'wrong usage, or no such run', [EXIT.refused]: 'no run yet' },
      perform: timeline,
    },
  ],
  [
    'graph',
    {
      usage: 'graph [PLAN] [--around TASK] [--svg FILE]',
      wordLimit: 1,
      does: 'Shows what a plan does in which order, or draws it.',
      options: {
        around: option('TASK', 'only this task and those near it'),
        svg: option('FILE', 'draws it into a file; "-" is the output'),
      },
      examples: ['graph', 'graph --svg plan.svg'],
      exits: { [EXIT.usage]: 'wrong usage, or no such plan', [EXIT.refused]: 'too many tasks' },
      perform: graph,
    },
  ],
  [
    'log',
    {
      usage: 'log [TASK] [-f | --tail N] [--attempt N] [--plan FILE] [--run RUN]',
      wordLimit: 1,
      does: 'Prints what a task has written; without a task that of the one that failed last.',
      options: {
        follow: flag('goes on until the task ends, attempt after attempt', 'f'),
        tail: option('N', 'the last N lines; default: all that is kept'),
        attempt: option('N', 'an earlier attempt; default: the newest'),
        ...WHICH,
      },
      examples: ['log', 'log bread --tail 20'],
      exits: {
        [EXIT.usage]: 'wrong usage, or no such task',
        [EXIT.refused]: 'no log yet',
        [EXIT.interrupted]: '-f was ended',
      },
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
      options: {
        as: AS,
        kind: KIND,
        needs: NEEDS,
        lease: option(
          'D',
          'until when it is yours without "renew": 30s, 5m; default: the task says',
        ),
        wait: flag('stays until there is something to take'),
        ...WHICH,
      },
      examples: ['claim review --as robin', 'claim --as robin --needs gpu --wait'],
      exits: {
        [EXIT.usage]: 'wrong usage, or no such task',
        [EXIT.refused]: 'held, blocked, ended, or nothing to take',
        [EXIT.interrupted]: '--wait was ended',
      },
      perform: claim,
    },
  ],
  [
    'renew',
    {
      ...HOLDER,
      usage: 'renew [TASK] [--term N] [--as NAME] [--lease D] [--plan FILE] [--run RUN]',
      does: 'Says that you are at work on a task, and keeps it for another lease.',
      options: { ...TERM, lease: option('D', 'another lease; default: as before'), ...WHICH },
      examples: ['renew review --term 7'],
      perform: holderCommand('renew'),
    },
  ],
  [
    'done',
    {
      ...HOLDER,
      usage: 'done [TASK] [--term N] [--as NAME] [--plan FILE] [--run RUN]',
      does: 'Completes a task that you hold.',
      options: { ...TERM, ...WHICH },
      examples: ['done review --term 7'],
      perform: holderCommand('done'),
    },
  ],
  [
    'fail',
    {
      ...HOLDER,
      usage:
        'fail [TASK] [--term N] [--as NAME] [--message TEXT] [--exit-code N] [--plan FILE] [--run RUN]',
      does: 'Says that a task that you hold cannot be done.',
      options: {
        ...TERM,
        message: option('TEXT', 'why, for whoever reads the log of the task'),
        'exit-code': option('N', 'what "retry: { on }" of the plan looks at; default: 1'),
        ...WHICH,
      },
      examples: ['fail review --term 7 --message "the tests do not pass"'],
      perform: holderCommand('fail'),
    },
  ],
  [
    'release',
    {
      ...HOLDER,
      usage: 'release [TASK] [--term N] [--as NAME] [--plan FILE] [--run RUN]',
      does: 'Releases a task that you hold, for somebody else.',
      options: { ...TERM, ...WHICH },
      examples: ['release review --term 7'],
      perform: holderCommand('release'),
    },
  ],
  ['terminal', TERMINAL_COMMAND],
  [
    'own',
    {
      usage: 'own PATH… --as NAME [--kind agent|person] [--read] [--for D] | own --free --as NAME',
      does: 'Takes paths without a task, so that tasks that would write them wait and ask.',
      options: {
        as: AS,
        kind: option('agent|person', 'default: person'),
        read: flag('only to read them'),
        for: option('D', 'for how long; default: until you let go'),
        free: flag('lets go of these paths, or of all that you have taken'),
      },
      examples: ['own src/api/users.ts --as robin --for 30m', 'own --free --as robin'],
      exits: { [EXIT.refused]: 'somebody has them, or there is nothing to let go of' },
      perform: own,
    },
  ],
  ...CONTROL_COMMANDS,
  ...SESSION_COMMANDS,
  ['hosts', HOSTS_COMMAND],
  [
    'serve',
    {
      usage: 'serve',
      wordLimit: 0,
      does: 'Decides for the repository without an editor, until Ctrl-C.',
      examples: ['serve'],
      exits: { [EXIT.interrupted]: 'Ctrl-C was pressed twice' },
      perform: serve,
    },
  ],
  ...AGENT_COMMANDS,
  [
    'where',
    {
      usage: 'where',
      wordLimit: 0,
      does: 'Prints where the state of this repository is kept.',
      examples: ['where'],
      perform: where,
    },
  ],
  [
    'doctor',
    {
      usage: 'doctor',
      wordLimit: 0,
      does: 'Looks at what Interlock needs here, says what is wrong and what to do; changes nothing.',
      examples: ['doctor'],
      exits: { [EXIT.failed]: 'something is wrong' },
      perform: doctor,
    },
  ],
  [
    'export',
    {
      usage: 'export [FILE] [--redact]',
      wordLimit: 1,
      does: 'Writes all that was decided into one file for a bug report, without the values of variables.',
      options: { redact: flag('commands, titles and messages become a length and a hash') },
      examples: ['export report.json.gz --redact'],
      exits: { [EXIT.usage]: 'wrong usage, or the file cannot be written' },
      perform: exportBundle,
    },
  ],
  [
    'completion',
    {
      usage: 'completion bash|zsh|fish',
      wordLimit: 1,
      wordMinimum: 1,
      does: 'Prints a script that completes commands and options in a shell.',
      examples: ['completion bash >> ~/.bashrc'],
      perform: (args, terminal) => completion(COMMANDS, args, terminal),
    },
  ],
]);
