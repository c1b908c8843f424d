import type { HookDialect } from './hook-input.ts';

/** Which event is answered, and how the agent wants that. */
export interface AnsweredEvent {
  readonly dialect: HookDialect;
  readonly event: string;
}

/** What a hook says to the agent; nothing is said where it may go on. */
export type HookAnswer =
  | { readonly kind: 'refuse'; readonly reason: string }
  /** It has been done; the agent should know of it. */
  | { readonly kind: 'tell'; readonly reason: string };

/** The answer as the agent reads it, on the output of a hook that ends with 0. */
export function hookDocument(
  { kind, reason }: HookAnswer,
  { dialect, event }: AnsweredEvent,
): object {
  switch (dialect) {
    case 'claude':
      return kind === 'refuse'
        ? {
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'deny',
              permissionDecisionReason: reason,
            },
          }
        : { hookSpecificOutput: { hookEventName: event, additionalContext: reason } };
    case 'gemini':
      return kind === 'refuse'
        ? { decision: 'deny', reason }
        : { hookSpecificOutput: { additionalContext: reason } };
    case 'cursor':
      return kind === 'refuse'
        ? { permission: 'deny', user_message: reason, agent_message: reason }
        : { additional_context: reason };
    default:
      return dialect satisfies never;
  }
}
