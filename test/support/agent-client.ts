import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI } from './command.ts';

interface Called {
  readonly isError: boolean;
  /** What it says, to be read. */
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** An agent, as a client of the built `interlock mcp`. */
export class AgentClient {
  readonly client: Client;
  readonly #transport: StdioClientTransport;

  constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.#transport = transport;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  async call(name: string, args: object = {}, signal?: AbortSignal): Promise<Called> {
    return await this.#call({ name, arguments: { ...args } }, signal);
  }

  /** As Codex does, which serves several sessions by one process. */
  async callIn(session: string, name: string, args: object = {}): Promise<Called> {
    const about = { 'x-codex-turn-metadata': { session_id: session } };
    return await this.#call({ name, arguments: { ...args }, _meta: about });
  }

  async #call(request: Parameters<Client['callTool']>[0], signal?: AbortSignal): Promise<Called> {
    const options = signal === undefined ? {} : { signal };
    const result = await this.client.callTool(request, options);
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    const document = Object(result.structuredContent ?? {});
    return { isError: result.isError === true, text, document };
  }
}

interface AgentOptions {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of the protocol; without it the client says what it likes best. */
  readonly era?: 'legacy' | 'auto';
}

export async function agentIn(
  folder: string,
  { name = 'test-agent', args = [], env = {}, era = 'legacy' }: AgentOptions = {},
): Promise<AgentClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    cwd: folder,
    env: { ...definedOf(process.env), INTERLOCK_STATE_DIR: path.join(folder, '.state'), ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: era } });
  onTestFinished(async () => await client.close());
  await client.connect(transport);
  return new AgentClient(client, transport);
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  );
  return Object.fromEntries(entries);
}
