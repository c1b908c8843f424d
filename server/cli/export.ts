import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenBoard } from '../board/ports.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { redact } from './redact.ts';
import { jsonLine, outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

const FORMAT = 'interlock-bundle';
const FORMAT_VERSION = 1;
const RUNS_LIMIT = 200;

/** All that has been decided, and what it was decided on, in one file that can be replayed. */
export async function exportBundle(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  return await withBoard(args, terminal, { how: { command: 'export' }, use: write });
}

async function write({ args, terminal, world, open }: BoardUse): Promise<ExitCode> {
  const bundle = bundleOf(open, world.rulesOf(args.folder));
  const level = args.options['redact'] === true ? 'all' : 'environment';
  const text = jsonLine(redact(bundle, { level, hash: (whole) => world.hash(whole) }));
  const [file] = args.words;
  if (file === undefined) {
    terminal.out(text);
    return EXIT.done;
  }
  const bytes = file.endsWith('.gz') ? await zipped(text) : Buffer.from(text);
  const target = path.resolve(terminal.cwd, file);
  try {
    // It holds what the user's tasks are, even without their secrets.
    writeFileSync(target, bytes, { mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const message = `Could not write ${target} (${code}). Choose a file in a folder that exists and is yours.`;
    return sayRefused(args, terminal, { kind: 'refused', why: 'file', message, code: EXIT.usage });
  }
  if (args.isJson)
    sayJson(terminal, { file: target, bytes: bytes.length, revision: bundle.revision });
  else
    outLine(
      terminal,
      `Wrote ${target} (${bytes.length} bytes). Look through it before you send it.`,
    );
  return EXIT.done;
}

/** Loaded here, because every other command would wait for it in vain. */
async function zipped(text: string): Promise<Buffer> {
  const { gzipSync } = await import('node:zlib');
  return gzipSync(text);
}

interface Bundle {
  readonly format: typeof FORMAT;
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly revision: number;
}

function bundleOf({ store }: OpenBoard, rules: PathRules): Bundle {
  const { revision, nowAt, tenure, term, base, entries } = store.snapshot();
  const versions = {
    interlock: __INTERLOCK_VERSION__,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
  const runs = store.runs(RUNS_LIMIT);
  const about = { format: FORMAT, formatVersion: FORMAT_VERSION, versions, rules } as const;
  return Object.assign(about, { revision, nowAt, tenure, term, base: base ?? null, entries, runs });
}
