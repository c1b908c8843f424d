import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { CLI } from './command.ts';

/** Starts its server of tools, calls one tool, prints the answer as one line, and works on. */
const AGENT = `
  const { spawn } = require('node:child_process');
  const [cli, name, tool, args] = process.argv.slice(1);
  const server = spawn(process.execPath, [cli, 'mcp', '--as', name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const clientInfo = { name: 'killed', version: '1' };
  let text = '';
  server.stdout.on('data', (data) => {
    text += data;
    const lines = text.split('\\n');
    text = lines.pop();
    for (const line of lines) {
      const { id } = JSON.parse(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name: tool, arguments: JSON.parse(args) } });
      }
      if (id === 2) console.log(line);
    }
  });
  // It works on without its server, too.
  setInterval(() => {}, 60_000);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
`;

interface AgentProcess {
  /** What the tool answered, as JSON text. */
  readonly answer: string;
  /** As kill -9 of the agent; its server of tools notices. */
  readonly kill: () => void;
  /** The server of tools is killed as well. */
  readonly killAll: () => void;
  /** As kill -9 of its server of tools only. */
  readonly killServer: () => Promise<void>;
}

/** An agent in a process of its own, which can be killed. It calls one tool. */
export async function agentProcess(
  folder: string,
  name: string,
  call: { readonly tool: string; readonly args?: object },
): Promise<AgentProcess> {
  const { tool, args = {} } = call;
  const child = spawn(process.execPath, ['-e', AGENT, CLI, name, tool, JSON.stringify(args)], {
    cwd: folder,
    env: { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its process group is the agent and its server.
    detached: true,
  });
  const killAll = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // They have ended.
    }
  };
  onTestFinished(killAll);
  const answer = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('close', () => reject(new Error('The agent ended without an answer.')));
  });
  const killServer = async (): Promise<void> => {
    process.kill(await serverOf(child.pid!), 'SIGKILL');
  };
  return { answer, kill: () => void child.kill('SIGKILL'), killAll, killServer };
}

/** The only child of an agent. */
async function serverOf(agent: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const [pid] = lines.find(([, parent]) => parent === agent) ?? [];
  if (pid === undefined) throw new Error('The agent has no server.');
  return pid;
}
