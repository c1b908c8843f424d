import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, type ExitCode } from './exit-code.ts';
import { outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Into the file, or to the output for `-`; says where it is, with what it is of. */
export function writePicture(
  { args, terminal }: { readonly args: Arguments; readonly terminal: Terminal },
  { file, svg, of }: { readonly file: string; readonly svg: string; readonly of: object },
): ExitCode {
  if (file === '-') {
    terminal.out(svg);
    return EXIT.done;
  }
  const target = path.resolve(terminal.cwd, file);
  try {
    writeFileSync(target, svg);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const message = `Could not write ${target} (${code}). Choose a file in a folder that exists and is yours.`;
    return sayRefused(args, terminal, { kind: 'refused', why: 'file', message, code: EXIT.usage });
  }
  if (args.isJson) sayJson(terminal, { ...of, file: target, bytes: Buffer.byteLength(svg) });
  else outLine(terminal, `Wrote ${target}.`);
  return EXIT.done;
}
