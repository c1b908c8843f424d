import { assert } from '../domain/assert.ts';
import { type CommandDefinition, option } from './command-definition.ts';

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
]);
