import {
  CLAIM_TASK,
  type ClaimableTask,
  type ClaimReply,
  END_CLAIM,
  type EndClaim,
  type EndClaimReply,
  LIST_CLAIMABLE,
} from '../../../protocol/claims.ts';
import { sentenceOf } from '../../board/board.ts';
import { claimable, claimFor, type Ending, endClaim } from '../../board/person-claims.ts';
import { fieldsOf, readTask, refuseParams } from '../refuse-params.ts';
import type { PersonParts } from './person-parts.ts';

/** What the person before a window claims for themselves, and how that ends. */
export function registerClaims(parts: PersonParts): void {
  const { connection, live, workspace, world } = parts;
  const operation = (): string => world.ids.operation();

  connection.onRequest(LIST_CLAIMABLE, (): readonly ClaimableTask[] =>
    workspace.folders.flatMap(({ board, uri: folderUri }) =>
      claimable(board, live.window.person).map((task) => ({ folderUri, ...task })),
    ),
  );

  connection.onRequest<ClaimReply, void>(CLAIM_TASK, async (params: unknown) => {
    const { board, plan, id } = readTask(params, workspace);
    const { person } = live.window;
    try {
      const claimed = await claimFor(board, { plan, id }, { person, operation });
      if (claimed.kind === 'refused') return claimed;
      const { entry } = claimed;
      const expiresAt = entry?.claim?.holder.expiresAt;
      const writes = entry?.definition.writes ?? [];
      return { kind: 'claimed', writes, ...(expiresAt !== undefined && { expiresAt }) };
    } catch (error) {
      return { kind: 'refused', message: sentenceOf(error) };
    }
  });

  connection.onRequest(END_CLAIM, async (params: unknown): Promise<EndClaimReply> => {
    const { board, plan, id } = readTask(params, workspace);
    const ending = readEnding(params);
    const { person } = live.window;
    try {
      const refusal = await endClaim(board, { plan, id, ending }, { person, operation });
      return refusal === undefined ? {} : { refusal };
    } catch (error) {
      return { refusal: sentenceOf(error) };
    }
  });
}

/** Nobody reads more of it. */
const MESSAGE_LIMIT = 64 * 1024;

function readEnding(params: unknown): Ending {
  const { how, message }: Partial<Record<keyof EndClaim, unknown>> = fieldsOf(params);
  if (how === 'release' || how === 'complete') return { kind: how };
  if (how !== 'fail') throw refuseParams('"how" is "release", "complete" or "fail".');
  if (message !== undefined && typeof message !== 'string')
    throw refuseParams('"message" is text.');
  return { kind: 'fail', message: message?.slice(0, MESSAGE_LIMIT).toWellFormed() };
}
