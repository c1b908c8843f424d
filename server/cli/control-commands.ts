import { type CommandDefinition, flag, option, WHICH } from './command-definition.ts';
import { controlCommand } from './control.ts';
import { EXIT } from './exit-code.ts';

const WORKER = option('NAME', 'agent/NAME, person/NAME, or runner/local for this machine');
const CONTROL = {
  wordLimit: 1,
  options: WHICH,
  exits: { [EXIT.refused]: 'not in an unfinished run, ended, held, or nothing to do' },
};

/** By which people intervene in what runs. */
export const CONTROL_COMMANDS: readonly (readonly [string, CommandDefinition])[] = [
  [
    'retry',
    {
      ...CONTROL,
      usage: 'retry TASK [--plan FILE] [--run RUN]',
      wordMinimum: 1,
      does: 'Lets a task of an unfinished run begin anew.',
      examples: ['retry bread'],
      perform: controlCommand('retry'),
    },
  ],
  [
    'cancel',
    {
      ...CONTROL,
      usage: 'cancel TASK [--plan FILE] [--run RUN] | cancel --run RUN | cancel --all',
      does: 'Ends a task, a run, or all unfinished runs of the folder.',
      options: { ...WHICH, all: flag('all unfinished runs of the folder') },
      examples: ['cancel bread', 'cancel --all'],
      perform: controlCommand('cancel'),
    },
  ],
  [
    'pause',
    {
      ...CONTROL,
      usage: 'pause [TASK] [--plan FILE] [--run RUN] | pause --worker NAME',
      does: 'Starts nothing more, or not this task, or gives a worker nothing new; what runs goes on.',
      options: { ...WHICH, worker: WORKER },
      examples: ['pause', 'pause bread', 'pause --worker agent/claude-1'],
      perform: controlCommand('pause'),
    },
  ],
  [
    'resume',
    {
      ...CONTROL,
      usage: 'resume [TASK] [--plan FILE] [--run RUN] | resume --worker NAME',
      does: 'Lets everything go on, or this task, or this worker.',
      options: { ...WHICH, worker: WORKER },
      examples: ['resume', 'resume bread'],
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
      examples: ['answer review'],
      perform: controlCommand('answer'),
    },
  ],
];
