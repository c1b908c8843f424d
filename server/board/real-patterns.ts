import { nextTurn } from './next-turn.ts';
import type { BoardWorld, RealPath } from './ports.ts';
import type { ChosenPart } from './run-choice.ts';

/** Where the folder is that patterns count from: of a working tree, or itself the whole of it. */
interface Place {
  readonly world: Pick<BoardWorld, 'realInTree'>;
  /** The top of the tree, without links on the way to it. */
  readonly top: string;
  /** From there, with `/`; empty where it is the top. */
  readonly folder: string;
}

type RealPattern =
  | { readonly kind: 'real'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * A pattern as it counts from the top of the tree, without links in what it names plainly: two names of
 * one file must not be two files to own. A link that only a wildcard would match is not looked for.
 */
export function realPattern(pattern: string, { world, top, folder }: Place): RealPattern {
  const takesAway = pattern.startsWith('!');
  const names = (takesAway ? pattern.slice(1) : pattern).split('/');
  const wild = names.findIndex((name) => name === '' || WILD.test(name));
  const plain = wild < 0 ? names : names.slice(0, wild);
  const rest = wild < 0 ? [] : names.slice(wild);
  const real: RealPath =
    plain.length === 0
      ? { kind: 'inside', path: folder }
      : world.realInTree(top, [folder, ...plain].filter((name) => name !== '').join('/'));
  if (real.kind !== 'inside') return { kind: 'refused', message: real.message };
  const start = real.path === '' ? [] : [real.path.replaceAll(WILD_SIGNS, '[$&]')];
  const text = [...start, ...rest].join('/') || '**';
  return { kind: 'real', text: takesAway ? `!${text}` : text };
}

const WILD = /[*?[\]{}]/;
const WILD_SIGNS = /[*?[{}]/g;

/** Looking at the disk for so many takes a few milliseconds. */
const PATTERNS_IN_SLICE = 100;

/**
 * The same tasks, which read and write what their patterns really lead to. A pattern that leads out of the
 * folder stays as it is: nobody here owns what it names, and the task may be for another machine.
 */
export async function withRealPatterns(
  part: ChosenPart,
  { world, root }: Pick<Place, 'world'> & { readonly root: string },
): Promise<ChosenPart> {
  const known = new Map<string, string>();
  let looked = 0;
  const realOf = async (patterns: readonly string[]): Promise<readonly string[]> => {
    const all: string[] = [];
    for (const pattern of patterns) {
      let text = known.get(pattern);
      if (text === undefined) {
        looked += 1;
        if (looked % PATTERNS_IN_SLICE === 0) await nextTurn();
        const real = realPattern(pattern, { world, top: root, folder: '' });
        text = real.kind === 'real' ? real.text : pattern;
        known.set(pattern, text);
      }
      all.push(text);
    }
    return all.every((text, at) => text === patterns[at]) ? patterns : [...new Set(all)];
  };
  const tasks: ChosenPart['tasks'][number][] = [];
  for (const task of part.tasks) {
    const [reads, writes] = [await realOf(task.reads), await realOf(task.writes)];
    const isSame = reads === task.reads && writes === task.writes;
    tasks.push(isSame ? task : { ...task, reads, writes });
  }
  return { ...part, tasks };
}
