import { formatDuration, type Instant } from '../domain/time.ts';
import type { Collision } from '../scheduler/model/ownership.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { collisionText, freePaths, type PathWish, readPatterns, takePaths } from './owning.ts';
import { errLine, outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { readWorker } from './worker.ts';

/** Takes paths without a task, or lets go of them. */
export async function own(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const durationMs = reader.durationMs('for');
  reader.notBoth('free', 'for');
  reader.notBoth('free', 'read');
  const who = readWorker(reader, { defaultKind: 'person' });
  if (who.kind === 'refused') return sayRefused(args, terminal, who);
  const isFreeing = args.options['free'] === true;
  const patterns = readPatterns(args);
  if (patterns.kind === 'refused') return sayRefused(args, terminal, patterns);
  if (patterns.texts.length === 0 && !isFreeing)
    return sayRefused(
      args,
      terminal,
      wrong('Name paths or patterns: interlock own PATH… --as NAME'),
    );
  const isReading = args.options['read'] === true;
  const wish = { worker: who.worker.id, patterns: patterns.texts, durationMs, isReading };
  const use = async (board: BoardUse): Promise<ExitCode> =>
    isFreeing ? await free(board, wish) : await take(board, wish);
  return await withBoard(args, terminal, { how: { command: 'own', carriesOn: 'recent' }, use });
}

async function take(use: BoardUse, wish: PathWish): Promise<ExitCode> {
  const taken = await takePaths(use, wish);
  if (taken.kind === 'refused') return sayRefused(use.args, use.terminal, taken);
  const { worker, patterns } = wish;
  say(use, { worker, patterns, until: taken.until, warnings: taken.warnings });
  return EXIT.done;
}

function say(
  { args, terminal, open }: BoardUse,
  taken: {
    readonly worker: string;
    readonly patterns: readonly string[];
    readonly until: Instant | undefined;
    readonly warnings: readonly Collision[];
  },
): void {
  const { worker, patterns, until, warnings } = taken;
  if (args.isJson) {
    const met = warnings.map(({ owner: { who, worker: other }, kind, rule }) => {
      return { who, worker: other, kind, rule };
    });
    sayJson(terminal, { kind: 'accepted', worker, patterns, until, warnings: met });
    return;
  }
  const left = until === undefined ? undefined : until - open.clock.now();
  const howLong =
    left === undefined
      ? `until you let go: interlock own --free --as ${worker}`
      : `for ${formatDuration(Math.max(0, left))}`;
  outLine(terminal, `${patterns.join(', ')}: yours ${howLong}`);
  for (const each of warnings) errLine(terminal, `Somebody is there: ${collisionText(each)}.`);
}

async function free(use: BoardUse, wish: PathWish): Promise<ExitCode> {
  const { args, terminal } = use;
  const outcome = await freePaths(use, wish);
  if (outcome.kind === 'refused') return sayRefused(args, terminal, outcome);
  const { freed } = outcome;
  if (args.isJson) sayJson(terminal, { kind: 'accepted', freed });
  else outLine(terminal, `Let go of ${freed.join(', ')}.`);
  return EXIT.done;
}

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
