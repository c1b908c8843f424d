import { ErrorCodes, ResponseError } from 'vscode-languageserver';

/** For whoever sends what cannot be read. */
export function refuseParams(message: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

export function fieldsOf(params: unknown): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? { ...params } : {};
}
