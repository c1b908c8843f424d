import { parsePattern } from '../domain/paths/path-set.ts';
import type { PlansOfFolder, TaskInFolder } from './plan-in-folder.ts';
import { idAt, type Spot, taskOf } from './task-mentions.ts';
import { pairAt } from './yaml/find.ts';
import { placeAt } from './completion/spot.ts';
import { vocabularyOf } from './vocabulary.ts';
import type { YamlPlace } from './yaml/node-at.ts';
import { endOfText, type Span, type YamlTree } from './yaml/tree.ts';
import { fileOf } from '../plans/plan-source.ts';

/** Where something that is mentioned is written. */
export type Definition =
  | {
      readonly kind: 'place';
      readonly origin: Span;
      readonly file: string;
      /** All of it, and of that what names it. */
      readonly range: Span;
      readonly name: Span;
    }
  /** Something in the folder that may be there or not. */
  | { readonly kind: 'path'; readonly origin: Span; readonly path: string };

/** What is meant by an id, a path without wildcards, the name of an agent or of a limit. */
export function definitionAt(
  folder: PlansOfFolder,
  spot: Spot,
  treeOf: () => YamlTree,
): Definition | undefined {
  const id = idAt(spot);
  if (id !== undefined) {
    const target = taskOf(folder, id);
    if (target === undefined) return undefined;
    const { idRange } = target.task;
    const file = fileOf(idRange, target.plan);
    return { kind: 'place', origin: id.range, file, range: wholeTask(target), name: idRange };
  }
  const words = vocabularyOf(spot.plan, spot.file);
  if (words === undefined) return undefined;
  const tree = treeOf();
  const found = placeAt({ tree, offset: spot.offset, words });
  const place = found && { ...found, path: [...words.base, ...found.path] };
  return place && (named(tree, place, spot.file) ?? pathIn(place));
}

function named(tree: YamlTree, place: YamlPlace, file: string): Definition | undefined {
  const keys = namedBy(place);
  const pair = keys && pairAt(tree, keys);
  if (pair === undefined) return undefined;
  return { kind: 'place', origin: place.range, file, range: pair, name: pair.key };
}

/** Where what is named at a place is declared, as a path of keys. */
function namedBy({ role, path, text }: YamlPlace): readonly string[] | undefined {
  const [section, , key] = path;
  if (section === 'tasks' && role === 'value' && key === 'agent' && path.length === 3)
    return ['agents', text];
  const isResource =
    (section === 'tasks' && key === 'resources' && path.length === 3) ||
    (section === 'defaults' && path[1] === 'resources' && path.length === 2);
  return role === 'key' && isResource ? ['limits', text] : undefined;
}

function pathIn({ role, path, text, range }: YamlPlace): Definition | undefined {
  const [section, , key] = path;
  const isPath =
    section === 'tasks' &&
    role === 'item' &&
    path.length === 4 &&
    (key === 'reads' || key === 'writes');
  const plain = isPath ? literalPath(text) : undefined;
  return plain === undefined ? undefined : { kind: 'path', origin: range, path: plain };
}

/** The one path that a pattern means; nothing where it may mean several. */
export function literalPath(pattern: string): string | undefined {
  const path = pattern.replace(/^!/, '');
  if (/[*?[\]{}\\]/.test(path) || path === '' || path.endsWith('/')) return undefined;
  return parsePattern(path).kind === 'glob' ? path.replace(/^\.\//, '') : undefined;
}

/** From the id to the last line; where the id is written elsewhere, it is all there is. */
function wholeTask({ plan, task: { range, idRange: name } }: TaskInFolder): Span {
  const isAround = range.start <= name.start && name.end <= range.end && range.file === name.file;
  if (!isAround) return name;
  const text = plan.texts.get(fileOf(range, plan)) ?? '';
  return { start: range.start, end: endOfText(text, range) };
}
