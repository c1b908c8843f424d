import path from 'node:path';
import { displayText } from '../domain/display-text.ts';
import { parsePattern } from '../domain/paths/path-set.ts';
import { treeOf } from '../domain/run.ts';
import { formatDuration, type Instant, laterBy } from '../domain/time.ts';
import type { Collision } from '../scheduler/model/ownership.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';
import type { OwnRequest } from '../scheduler/requests/own.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { type Refused, sayJson, sayRefused } from './say.ts';
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
  const wish = { worker: who.worker.id, patterns: patterns.texts, durationMs };
  const use = async (board: BoardUse): Promise<ExitCode> =>
    isFreeing ? await free(board, wish) : await take(board, wish);
  return await withBoard(args, terminal, { how: { command: 'own', carriesOn: 'recent' }, use });
}

interface Wish {
  readonly worker: OwnRequest['worker'];
  /** From the workspace folder. */
  readonly patterns: readonly string[];
  readonly durationMs: number | undefined;
}

async function take(use: BoardUse, { worker, patterns, durationMs }: Wish): Promise<ExitCode> {
  const { args, terminal, world, open, takePart } = use;
  const { keeper, clock } = open;
  await takePart();
  const until =
    durationMs === undefined ? undefined : laterBy(keeper.board.timeAt(clock.now()), durationMs);
  const paths = inTree(patterns, world.folderInTree(args.folder));
  const isReading = args.options['read'] === true;
  const request: OwnRequest = {
    id: idOf(use, worker, paths),
    worker,
    tree: treeIn(use),
    reads: isReading ? paths : [],
    writes: isReading ? [] : paths,
    isUnsaved: false,
    ...(until !== undefined && { until }),
  };
  const reply = await keeper.calls.own(request, world.ids.operation());
  switch (reply.kind) {
    case 'refused':
      return sayRefused(args, terminal, wrong(`${reply.what}: ${reply.message}`));
    case 'held': {
      const message = `Taken already: ${reply.by.map(collisionText).join('; ')}.`;
      return sayRefused(args, terminal, {
        kind: 'refused',
        why: 'held',
        message,
        code: EXIT.refused,
      });
    }
    case 'accepted':
      say(use, { worker, patterns, until, warnings: reply.warnings });
      return EXIT.done;
    default:
      return reply satisfies never;
  }
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
  terminal.out(`${displayText(patterns.join(', '))}: yours ${howLong}\n`);
  for (const each of warnings) terminal.err(`Somebody is there: ${collisionText(each)}.\n`);
}

/** Those that were named, or all that this worker has taken in this folder's working tree. */
async function free(use: BoardUse, { worker, patterns }: Wish): Promise<ExitCode> {
  const { args, terminal, open, world, takePart } = use;
  const { keeper } = open;
  await takePart();
  const paths = inTree(patterns, world.folderInTree(args.folder));
  const tree = treeIn(use);
  const taken = [...keeper.board.owners.people].filter(
    ([, owner]) => owner.worker === worker && owner.tree === tree,
  );
  const named = taken.filter(
    ([, { patterns: of }]) =>
      paths.length === 0 || [...of.reads, ...of.writes].some((each) => paths.includes(each)),
  );
  for (const [id] of named) await keeper.calls.free(id);
  if (named.length === 0) {
    const message = `${worker} has taken nothing of that.`;
    return sayRefused(args, terminal, {
      kind: 'refused',
      why: 'nothing-to-do',
      message,
      code: EXIT.refused,
    });
  }
  const freed = named.flatMap(([, { patterns: of }]) => [...of.reads, ...of.writes]);
  if (args.isJson) sayJson(terminal, { kind: 'accepted', freed });
  else terminal.out(`Let go of ${displayText(freed.join(', '))}.\n`);
  return EXIT.done;
}

/** Whoever takes the same again has taken it once; the same in another working tree is something else. */
function idOf(use: BoardUse, worker: string, paths: readonly string[]): string {
  return `own/${use.world.hash(JSON.stringify([worker, treeIn(use), paths])).slice(0, 16)}`;
}

function treeIn({ args, world }: BoardUse): string {
  return treeOf({ root: args.folder, folder: world.folderInTree(args.folder) });
}

function inTree(patterns: readonly string[], folder: string): readonly string[] {
  if (folder === '') return patterns;
  const before = folder.replaceAll(/[*?[{}]/g, '[$&]');
  return patterns.map((pattern) =>
    pattern.startsWith('!') ? `!${before}/${pattern.slice(1)}` : `${before}/${pattern}`,
  );
}

/** From the workspace folder, as in a plan; an absolute path may be written, too. */
function readPatterns({
  words,
  folder,
}: Arguments): { readonly kind: 'patterns'; readonly texts: readonly string[] } | Refused {
  const texts = words.map((word) => {
    const relative = path.isAbsolute(word) ? path.relative(folder, word) : word;
    return relative.split(path.sep).join('/').replace(/^\.\//, '');
  });
  for (const text of texts) {
    const parsed = parsePattern(text);
    if (parsed.kind === 'refused') return wrong(`"${text}": ${parsed.message}`);
  }
  return { kind: 'patterns', texts };
}

function collisionText({ owner: { who, worker, until }, example }: Collision): string {
  const name = who.kind === 'person' ? withoutWindow(worker) : `task "${who.task}" (${worker})`;
  const what = example === undefined ? '' : ` has ${example}`;
  return displayText(`${name}${what}${until === undefined ? '' : ', for a while yet'}`);
}

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
