import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import process from 'node:process';
import { agentNamed, saidName } from '../cli/agent-name.ts';
import { EXIT, type ExitCode } from '../cli/exit-code.ts';
import { type BoardUse, withBoard } from '../cli/open-board.ts';
import { OptionReader } from '../cli/options.ts';
import { sayRefused } from '../cli/say.ts';
import type { Arguments, Terminal } from '../cli/terminal.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { AgentDesks } from './agent-desk.ts';
import { addClaimTool } from './claim-tool.ts';
import { addHolderTools } from './holder-tools.ts';
import { addLookTools } from './look-tools.ts';
import { addPathTools } from './path-tools.ts';
import { ToolBox } from './tool-box.ts';

/** Serves one agent for as long as it is there: until its end of the pipe is closed. */
export async function serveMcp(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const name = saidName(args, terminal);
  const needs = new OptionReader(args.options).text('needs');
  const said = agentNamed(name ?? 'agent', needs);
  if (said.kind === 'refused') return sayRefused(args, terminal, said);
  let desks: AgentDesks | undefined;
  const how = {
    command: 'mcp',
    carriesOn: 'recent',
    rank: 'last',
    changed: (entries: readonly LedgerEntry[]) => desks?.changed(entries),
  } as const;
  const use = async (board: BoardUse): Promise<ExitCode> => {
    const mine = new AgentDesks(board, { name, needs });
    desks = mine;
    try {
      return await serve(mine, terminal);
    } finally {
      await mine.leave();
    }
  };
  return await withBoard(args, terminal, { how, use });
}

async function serve(desks: AgentDesks, terminal: Terminal): Promise<ExitCode> {
  const over = Promise.withResolvers<ExitCode>();
  process.stdin.once('close', () => over.resolve(EXIT.done));
  process.stdin.once('end', () => over.resolve(EXIT.done));
  terminal.onInterrupt(() => over.resolve(EXIT.done));
  const handle = serveStdio(() => serverFor(desks), {
    transport: new StdioServerTransport(),
    // One line for whoever looks what is wrong; a message may be as long as it likes.
    onerror: ({ message }) => terminal.err(`${inShort(displayText(message))}\n`),
  });
  try {
    return await over.promise;
  } finally {
    await handle.close();
  }
}

function serverFor(desks: AgentDesks): McpServer {
  const about = { name: 'interlock', title: 'Interlock', version: __INTERLOCK_VERSION__ };
  const server = new McpServer(about, { instructions: INSTRUCTIONS });
  // Whoever speaks an older version of the protocol says its name once, the others with each request.
  server.server.oninitialized = () => void desks.of().meet(server.server.getClientVersion()?.name);
  const tools = new ToolBox(server, desks);
  addLookTools(tools);
  addClaimTool(tools);
  addHolderTools(tools);
  addPathTools(tools);
  return server;
}

const INSTRUCTIONS = `Interlock keeps several workers on one code base out of each other's way.
Take work with claim_task, write only what the task says it writes, and end with complete_task, fail_task or release_task. While you are connected your claim is renewed for you; a claim that was lost cannot be completed.
Before you write a file without a task, ask check_paths. If somebody else writes it, do something else, or ask_release. Say own_paths for what you are going to change yourself.
Every answer has a "next": what to do now.`;
