import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { STARTER_PLAN } from '../../protocol/starter-plan.ts';
import { isPlanFileName } from '../plans/interlock-yaml.ts';
import { tasksJsonToPlan } from '../plans/vscode-tasks/tasks-json-to-plan.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Writes a plan that runs, or one that does what a tasks.json says. What is there already is never touched. */
export function init(args: Arguments, terminal: Terminal): ExitCode {
  const { folder, isJson } = args;
  const file = path.join(folder, 'interlock.yaml');
  try {
    const found = readdirSync(folder).find(isPlanFileName);
    if (found !== undefined) return sayThere(args, terminal, found);
    const text = args.options['from-tasks'] === true ? fromTasks(args, terminal) : STARTER_PLAN;
    if (text === undefined) return sayNoTasks(args, terminal);
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'EEXIST') return sayThere(args, terminal, 'interlock.yaml');
    const message = `Could not write ${file} (${code}). Choose a folder that is yours with --board.`;
    return sayRefused(args, terminal, { kind: 'refused', why: 'file', message, code: EXIT.usage });
  }
  if (isJson) sayJson(terminal, { file });
  else terminal.out(`Wrote ${file}. "interlock run" runs it.\n`);
  return EXIT.done;
}

function fromTasks({ folder }: Arguments, terminal: Terminal): string | undefined {
  const { files } = terminal.world('init');
  const source = files.list(folder).find(({ kind }) => kind === 'vscode-tasks');
  const text = source && files.read(folder, source.path);
  const platform = source?.surroundings?.platform;
  return text === undefined || platform === undefined ? undefined : tasksJsonToPlan(text, platform);
}

function sayNoTasks(args: Arguments, terminal: Terminal): ExitCode {
  const message = `There is no .vscode/tasks.json in ${args.folder}. Without --from-tasks, a small plan is written.`;
  const code = EXIT.usage;
  return sayRefused(args, terminal, { kind: 'refused', why: 'no-tasks', message, code });
}

function sayThere(args: Arguments, terminal: Terminal, plan: string): ExitCode {
  const message = `There is a plan already: ${path.join(args.folder, plan)}. It is left as it is.`;
  const code = EXIT.refused;
  return sayRefused(args, terminal, { kind: 'refused', why: 'exists', message, code });
}
