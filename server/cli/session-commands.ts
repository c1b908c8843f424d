import { type CommandDefinition, flag, option, WHICH } from './command-definition.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { sayRefused } from './say.ts';
import { attachSession, attachTask } from './session-attach.ts';
import { killSession, pruneSessions } from './session-end.ts';
import { listSessions } from './session-list.ts';
import type { Arguments, Perform, Terminal } from './terminal.ts';

const ACTS: Readonly<Record<string, { readonly perform: Perform; readonly words: number }>> = {
  list: { perform: listSessions, words: 1 },
  attach: { perform: attachSession, words: 2 },
  kill: { perform: killSession, words: 2 },
  prune: { perform: pruneSessions, words: 1 },
};

const USAGE =
  'session list | attach [WORK] [--role ROLE] [--read-only | --write] | kill NAME | prune [--older-than D] [--role ROLE]';

/** By which people look into sessions of tmux, here and on their hosts. */
export const SESSION_COMMANDS: readonly (readonly [string, CommandDefinition])[] = [
  [
    'session',
    {
      usage: `${USAGE} [--on HOST]`,
      wordMinimum: 1,
      wordLimit: 2,
      does: 'Lists, shows and ends sessions of tmux, of this machine and of your hosts.',
      options: {
        on: option(
          'HOST',
          'this host, or local; default: all, and local for a session of your own',
        ),
        role: option('agent|runner|human', 'default: human to attach, runner to prune'),
        'read-only': flag('what is typed goes nowhere; default but for a session of your own'),
        write: flag('what is typed goes there'),
        'older-than': option(
          'D',
          'nothing was typed or printed for so long: 12h, 2d; default: any',
        ),
      },
      examples: ['session list', 'session attach review', 'session prune --older-than 2d'],
      exits: {
        [EXIT.refused]: 'no such session, not ours, or its task is at work',
        [EXIT.unavailable]: 'no machine answers; to attach, kill or prune: one does not',
      },
      perform: act,
    },
  ],
  [
    'attach',
    {
      usage: 'attach TASK [--write] [--plan FILE] [--run RUN]',
      wordMinimum: 1,
      wordLimit: 1,
      does: 'Shows the session in which a task runs, here or on its host; Ctrl-B D leaves it.',
      options: { write: flag('what is typed goes there; default: only look'), ...WHICH },
      examples: ['attach api', 'attach api --write'],
      exits: {
        [EXIT.usage]: 'wrong usage, no such task, or no terminal',
        [EXIT.refused]: 'it has no session',
        [EXIT.unavailable]: 'its machine does not answer',
      },
      perform: attachTask,
    },
  ],
];

async function act(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [word = '', ...rest] = args.words;
  const found = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
  const isFit = found !== undefined && args.words.length <= found.words;
  if (isFit && (word !== 'kill' || rest.length === 1)) return await found.perform(args, terminal);
  const message = isFit
    ? 'Name one session: interlock session kill NAME'
    : found === undefined
      ? `"${word}" is not one of ${Object.keys(ACTS).join(', ')}. Usage: interlock ${USAGE}`
      : `"${rest.at(-1)}" is one word too many. Usage: interlock ${USAGE}`;
  return sayRefused(args, terminal, { kind: 'refused', why: 'usage', message, code: EXIT.usage });
}
