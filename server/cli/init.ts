import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { STARTER_PLAN } from '../../protocol/starter-plan.ts';
import { isPlanFileName } from '../plans/interlock-yaml.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Writes a plan that runs. What is there already is never touched. */
export function init(args: Arguments, terminal: Terminal): ExitCode {
  const { folder, isJson } = args;
  const file = path.join(folder, 'interlock.yaml');
  try {
    const found = readdirSync(folder).find(isPlanFileName);
    if (found !== undefined) return sayThere(args, terminal, found);
    writeFileSync(file, STARTER_PLAN, { flag: 'wx' });
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

function sayThere(args: Arguments, terminal: Terminal, plan: string): ExitCode {
  const message = `There is a plan already: ${path.join(args.folder, plan)}. It is left as it is.`;
  const code = EXIT.refused;
  return sayRefused(args, terminal, { kind: 'refused', why: 'exists', message, code });
}
