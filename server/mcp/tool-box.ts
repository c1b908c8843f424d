import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { worldMessage } from '../cli/command-line.ts';
import { EXIT } from '../cli/exit-code.ts';
import type { Refused } from '../cli/say.ts';
import type { AgentDesk, AgentDesks } from './agent-desk.ts';

/** What a tool answers: a sentence, what to do next, and the same for programs. */
export interface Answer {
  readonly message: string;
  readonly next: string;
}

/** Why it did not do what was asked, and what to do instead. */
export interface Refusal extends Refused {
  readonly next: string;
}

/** What is in every answer. */
const ANSWER = {
  message: z.string().describe('What has happened, or how things are.'),
  next: z.string().describe('What to do now.'),
  notes: z
    .array(z.string())
    .optional()
    .describe('What has happened meanwhile: tasks that were lost, files that somebody asks for.'),
};

export const TASK = z
  .string()
  .describe('The id of the task, or PLAN:ID where several plans have it.');
/** Of ours, which nobody changes. */
export const TEXTS = z.array(z.string()).readonly();

/** The parameters cannot be meant so. */
export function wrongCall(message: string): Refusal {
  const next = 'Call status to see what there is.';
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage, next };
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodRawShape> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** It answers about paths: an agent that only asks again and again is not told of its losses by it. */
  readonly isAboutPaths?: boolean;
  readonly perform: (
    input: z.output<Input>,
    context: ToolContext,
  ) => Promise<(Answer & z.input<z.ZodObject<Output>>) | Refusal>;
}

export interface ToolContext {
  readonly desk: AgentDesk;
  /** The agent does not wait for the answer any more. */
  readonly signal: AbortSignal;
  /** Says that there is no answer yet, to an agent that wants to know. */
  readonly stillWaits: (message: string) => void;
}

/** Puts tools into a server: each answers in the same form, and no mistake ends the connection. */
export class ToolBox {
  readonly #server: McpServer;
  readonly #desks: AgentDesks;

  constructor(server: McpServer, desks: AgentDesks) {
    this.#server = server;
    this.#desks = desks;
  }

  add<Input extends z.ZodObject, Output extends z.ZodRawShape>(
    name: string,
    { input, output, perform, isAboutPaths = false, ...texts }: ToolDefinition<Input, Output>,
  ): void {
    const config = {
      ...texts,
      inputSchema: input,
      outputSchema: z.object({ ...ANSWER, ...output }),
    };
    const call = async (given: unknown, context: ServerContext): Promise<CallToolResult> =>
      await this.#answer(
        context,
        async (tools) => await perform(input.parse(given), tools),
        isAboutPaths,
      );
    // The library would work the types of all tools out again from their schemas.
    this.#server.registerTool<z.ZodObject, z.ZodObject>(name, config, call);
  }

  async #answer(
    context: ServerContext,
    perform: (tools: ToolContext) => Promise<Answer | Refusal>,
    isAboutPaths: boolean,
  ): Promise<CallToolResult> {
    const { signal, envelope } = context.mcpReq;
    const desk = this.#desks.of(sessionOf(context));
    const notes = (): readonly string[] => [
      ...(isAboutPaths ? [] : desk.takeLosses()),
      ...desk.takeNotes(),
    ];
    try {
      const client = CLIENT.safeParse(Object.entries(envelope ?? {}));
      await desk.meet(client.data ?? this.#server.server.getClientVersion()?.name);
      desk.held.tellOfLife();
      const said = await perform({ desk, signal, stillWaits: progressOf(context) });
      return isRefusal(said) ? refused(said, notes()) : answered(said, notes());
    } catch (error) {
      const message = worldMessage(error);
      if (message === undefined) throw error;
      return refused({ message, next: 'Try again in a while, or tell the user.' }, notes());
    }
  }
}

/** Codex says with each call in which session it was made. */
const CODEX_TURN = 'x-codex-turn-metadata';
const SESSION = z
  .object({ session_id: z.string().min(1).max(200) })
  .transform((turn) => turn.session_id);

function sessionOf({ mcpReq: { _meta: about } }: ServerContext): string | undefined {
  const turn: unknown = about?.[CODEX_TURN];
  return SESSION.safeParse(typeof turn === 'string' ? parsedOrNothing(turn) : turn).data;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The name that a request carries, among other things. */
const CLIENT = z
  .array(z.tuple([z.string(), z.unknown()]))
  .transform((entries) => new Map(entries).get(CLIENT_INFO_META_KEY))
  .pipe(z.object({ name: z.string() }))
  .transform(({ name }) => name);

function isRefusal(said: Answer | Refusal): said is Refusal {
  return 'kind' in said && said.kind === 'refused';
}

function answered(said: Answer, notes: readonly string[]): CallToolResult {
  const document = { ...said, ...(notes.length > 0 && { notes }) };
  return {
    content: [{ type: 'text', text: JSON.stringify(document) }],
    structuredContent: document,
  };
}

function refused(
  { message, next }: Pick<Refusal, 'message' | 'next'>,
  notes: readonly string[],
): CallToolResult {
  const text = [message, next, ...notes].join('\n');
  return { content: [{ type: 'text', text }], isError: true };
}

function progressOf({ mcpReq }: ServerContext): (message: string) => void {
  const { _meta: about } = mcpReq;
  const token = about?.progressToken;
  let progress = 0;
  return (message) => {
    if (token === undefined) return;
    progress += 1;
    const params = { progressToken: token, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
