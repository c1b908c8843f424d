import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import {
  EXPLAIN_TASK,
  type FileAnswer,
  type FilesAnswer,
  type FilesAsked,
  FIND_OWNERS,
  type TaskAnswer,
} from '../../protocol/agents.ts';
import type { TaskKey } from '../../protocol/tasks.ts';
import { displayText } from '../domain/display-text.ts';
import type { LiveFiles } from './ownership/live-files.ts';
import { fieldsOf } from './refuse-params.ts';
import type { Workspace } from './workspace.ts';

const FILES_LIMIT = 200;

/** What the models of an editor may ask about tasks and files. */
export function registerAgentHandlers(
  connection: Connection,
  live: LiveFiles,
  workspace: Workspace,
): void {
  connection.onRequest<TaskAnswer | ResponseError, void>(EXPLAIN_TASK, (params: unknown) =>
    isTaskKey(params) ? explain(workspace, params) : wrong('"params" names one task'),
  );
  connection.onRequest<FilesAnswer | ResponseError, void>(FIND_OWNERS, (params: unknown) =>
    isFilesAsked(params)
      ? { files: params.uris.map((uri) => fileAnswer(live, uri)) }
      : wrong(`"uris" is a list of at most ${FILES_LIMIT} texts`),
  );
}

function explain(workspace: Workspace, { folderUri, plan, id }: TaskKey): TaskAnswer {
  const board = workspace.get(folderUri)?.board;
  // Not as it was last looked at: how long it waits is told, and that passes.
  const found = board?.tasks().find((each) => each.plan.path === plan && each.task.id === id);
  if (board === undefined || found === undefined) return { sentences: [] };
  const { kind, detail, detailNow = detail } = found.status;
  const how = [detailNow, board.heldBy(found)].filter((part) => part !== '').join(', ');
  const state = `Task "${id}" of ${plan} is ${kind}${how === '' ? '' : `: ${how}`}.`;
  return { sentences: [state, ...board.whyNot(plan, found.task.id)].map(displayText) };
}

function fileAnswer(live: LiveFiles, uri: string): FileAnswer {
  const { claims, now } = live.othersOn(uri) ?? { claims: [], now: undefined };
  const isWritten = claims.some(({ how, isInOtherTree }) => how === 'writes' && !isInOtherTree);
  const sentences = now === undefined ? [] : claims.map((claim) => live.text.sentence(claim, now));
  return { uri, mayWrite: !isWritten, sentences };
}

function wrong(what: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, `${what}.`);
}

function isTaskKey(params: unknown): params is TaskKey {
  const { folderUri, plan, id } = fieldsOf(params);
  return [folderUri, plan, id].every((each) => typeof each === 'string');
}

function isFilesAsked(params: unknown): params is FilesAsked {
  const { uris } = fieldsOf(params);
  return (
    Array.isArray(uris) &&
    uris.length <= FILES_LIMIT &&
    uris.every((each) => typeof each === 'string')
  );
}
