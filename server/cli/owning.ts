import path from 'node:path';
import { untoldText } from '../board/lost-text.ts';
import { realPattern } from '../board/real-patterns.ts';
import { displayLine } from '../domain/display-text.ts';
import { parsePattern } from '../domain/paths/path-set.ts';
import { treeOf } from '../domain/run.ts';
import { type Instant, laterBy } from '../domain/time.ts';
import type { Collision } from '../scheduler/model/ownership.ts';
import { withoutWindow } from '../scheduler/model/workers.ts';
import type { OwnRequest } from '../scheduler/requests/own.ts';
import { EXIT } from './exit-code.ts';
import type { BoardUse } from './open-board.ts';
import type { Refused } from './say.ts';
import type { Arguments } from './terminal.ts';

type Owning = Pick<BoardUse, 'args' | 'world' | 'open' | 'takePart'>;

export interface PathWish {
  readonly worker: OwnRequest['worker'];
  /** From the workspace folder. */
  readonly patterns: readonly string[];
  readonly durationMs: number | undefined;
  readonly isReading: boolean;
}

export type OwnOutcome =
  | {
      readonly kind: 'taken';
      readonly until: Instant | undefined;
      /** Whom it meets all the same. */
      readonly warnings: readonly Collision[];
    }
  | Refused;

/** Takes paths without a task; whoever writes them already keeps them. */
export async function takePaths(use: Owning, wish: PathWish): Promise<OwnOutcome> {
  const { world, open, takePart } = use;
  const { worker, patterns, durationMs, isReading } = wish;
  const { keeper, clock } = open;
  await takePart();
  const until =
    durationMs === undefined ? undefined : laterBy(keeper.board.timeAt(clock.now()), durationMs);
  const real = realPatterns(use, patterns);
  if (real.kind === 'refused') return real;
  const paths = real.texts;
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
      return refuse('usage', `${reply.what}: ${reply.message}`);
    case 'held':
      return refuse('held', `Taken already: ${reply.by.map(collisionText).join('; ')}.`);
    case 'lost':
      return refuse('held', untoldText(reply.claims));
    case 'accepted':
      return { kind: 'taken', until, warnings: reply.warnings };
    default:
      return reply satisfies never;
  }
}

export type FreeOutcome = { readonly kind: 'freed'; readonly freed: readonly string[] } | Refused;

/** Those that were named, or all that this worker has taken in this folder's working tree. */
export async function freePaths(
  use: Owning,
  { worker, patterns }: Pick<PathWish, 'worker' | 'patterns'>,
): Promise<FreeOutcome> {
  const { open, takePart } = use;
  const { keeper } = open;
  await takePart();
  const real = realPatterns(use, patterns);
  if (real.kind === 'refused') return real;
  const paths = real.texts;
  const tree = treeIn(use);
  const taken = [...keeper.board.owners.people].filter(
    ([, owner]) => owner.worker === worker && owner.tree === tree,
  );
  const named = taken.filter(
    ([, { patterns: of }]) =>
      paths.length === 0 || [...of.reads, ...of.writes].some((each) => paths.includes(each)),
  );
  for (const [id] of named) await keeper.calls.free(id);
  if (named.length === 0) return refuse('nothing-to-do', `${worker} has taken nothing of that.`);
  const freed = named.flatMap(([, { patterns: of }]) => [...of.reads, ...of.writes]);
  return { kind: 'freed', freed };
}

/** Whoever takes the same again has taken it once; the same in another working tree is something else. */
function idOf(use: Owning, worker: string, paths: readonly string[]): string {
  return `own/${use.world.hash(JSON.stringify([worker, treeIn(use), paths])).slice(0, 16)}`;
}

function treeIn({ args, world }: Pick<BoardUse, 'args' | 'world'>): string {
  return treeOf({ root: args.folder, folder: world.folderInTree(args.folder) });
}

/** As they count from the top of the working tree, without links. */
function realPatterns(
  { args, world }: Pick<BoardUse, 'args' | 'world'>,
  patterns: readonly string[],
): { readonly kind: 'patterns'; readonly texts: readonly string[] } | Refused {
  const folder = world.folderInTree(args.folder);
  const top = folder === '' ? args.folder : args.folder.slice(0, -folder.length - 1);
  const texts: string[] = [];
  for (const pattern of patterns) {
    const real = realPattern(pattern, { world, top, folder });
    if (real.kind === 'refused') return refuse('usage', real.message);
    texts.push(real.text);
  }
  return { kind: 'patterns', texts: [...new Set(texts)] };
}

/** From the workspace folder, as in a plan; an absolute path may be written, too. */
export function readPatterns({
  words,
  folder,
}: Pick<Arguments, 'words' | 'folder'>):
  | { readonly kind: 'patterns'; readonly texts: readonly string[] }
  | Refused {
  const texts = words.map((word) => {
    const relative = path.isAbsolute(word) ? path.relative(folder, word) : word;
    return relative.split(path.sep).join('/').replace(/^\.\//, '');
  });
  for (const text of texts) {
    const parsed = parsePattern(text);
    if (parsed.kind === 'refused') return refuse('usage', `"${text}": ${parsed.message}`);
  }
  return { kind: 'patterns', texts };
}

export function collisionText({ owner: { who, worker, until }, example }: Collision): string {
  const name = who.kind === 'person' ? withoutWindow(worker) : `task "${who.task}" (${worker})`;
  const what = example === undefined ? '' : ` has ${example}`;
  return displayLine(`${name}${what}${until === undefined ? '' : ', for a while yet'}`);
}

function refuse(why: 'usage' | 'held' | 'nothing-to-do', message: string): Refused {
  return { kind: 'refused', why, message, code: why === 'usage' ? EXIT.usage : EXIT.refused };
}
