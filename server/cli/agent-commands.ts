import { assert } from '../domain/assert.ts';
import { type CommandDefinition, flag, option } from './command-definition.ts';
import { hook } from './hook.ts';

const AS = option('NAME', 'who the agent is; default: INTERLOCK_WORKER, else worked out');

/** What is started by agents, not typed by people. */
export const AGENT_COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map<
  string,
  CommandDefinition
>([
  [
    'mcp',
    {
      usage: 'mcp [--as NAME] [--needs A,B]',
      wordLimit: 0,
      does: 'Serves the board to an agent over the Model Context Protocol, on input and output.',
      options: {
        as: AS,
        needs: option('A,B', 'the capabilities that the agent has; default: none'),
      },
      examples: ['mcp --as claude-1'],
      perform: () => {
        assert(false, 'the launcher takes the program that has it');
      },
    },
  ],
  [
    'hook',
    {
      usage: 'hook [--as NAME] [--for D] [--strict]',
      wordLimit: 0,
      does: 'Answers the tool-use hook of a coding agent: a write that would collide is refused.',
      options: {
        as: AS,
        for: option('D', 'for how long a file that it writes is its own; default: 5m'),
        strict: flag('refuses to write also where the board cannot be asked'),
      },
      examples: ['hook --strict'],
      perform: hook,
    },
  ],
]);
