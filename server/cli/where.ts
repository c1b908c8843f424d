import path from 'node:path';
import { chooseEndpoint } from '../coordinator/endpoint.ts';
import { BoardDirectory } from '../system/board-directory.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { outLine, sayJson } from './say.ts';

export interface BoardPlaces {
  readonly state: string;
  readonly database: string;
  /** Windows has no file for it: the name of the pipe is told to those who may use it only. */
  readonly socket: string | undefined;
  readonly logs: string;
}

export function placesOf(folder: string, env: NodeJS.ProcessEnv): BoardPlaces {
  const directory = new BoardDirectory(folder, env);
  return {
    state: directory.path,
    database: directory.databaseFile,
    socket: process.platform === 'win32' ? undefined : chooseEndpoint(directory.path, ''),
    logs: path.dirname(directory.runFolder('run')),
  };
}

export function where({ folder, isJson }: Arguments, terminal: Terminal): ExitCode {
  const places = placesOf(folder, terminal.env);
  if (isJson) sayJson(terminal, places);
  else
    for (const [name, place] of Object.entries(places))
      if (place !== undefined) outLine(terminal, `${name.padEnd(8)}  ${place}`);
  return EXIT.done;
}
