import path from 'node:path';
import { isGitName } from './received-names.ts';

/** What lies at a path, from the top of a tree; what is there and no link is a folder or a file. */
export type Found =
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'there' }
  | { readonly kind: 'absent' };

interface Followed {
  /** A clause for the user. */
  readonly fault: string | undefined;
  /** The links on its way. */
  readonly through: readonly string[];
}

const OUT = 'it is a link that leads out of the folder';
const INTO_GIT = "it is a link that leads into git's own folder";
const ENDLESS = 'it is a link that leads through too many others';
const NOWHERE = 'it is a link that leads back through something that is not there';
/** As Linux counts. */
const MOST_HOPS = 40;
const MOST_ROUNDS = 8;
const SEPARATOR = path.sep === '\\' ? /[\\/]/ : /\//;

/**
 * Follows a link as a system does, through every other link on its way. What it leads to need not be
 * there, but a `..` after a name that is not there could mean anything later, so it is refused.
 */
export function followLink(name: string, to: string, look: (path: string) => Found): Followed {
  const at = name.split('/').slice(0, -1);
  const ahead = to.split(SEPARATOR);
  const through: string[] = [];
  const end = (fault?: string): Followed => ({ fault, through });
  if (isAbsolute(to)) return end(OUT);
  let isThere = true;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.length === 0) return end(OUT);
      if (!isThere) return end(NOWHERE);
      at.pop();
      continue;
    }
    if (isGitName(part)) return end(INTO_GIT);
    at.push(part);
    const here = at.join('/');
    const found = look(here);
    isThere = isThere && found.kind !== 'absent';
    if (found.kind !== 'link') continue;
    through.push(here);
    if (through.length > MOST_HOPS) return end(ENDLESS);
    if (isAbsolute(found.to)) return end(OUT);
    at.pop();
    ahead.unshift(...found.to.split(SEPARATOR));
  }
  return end();
}

function isAbsolute(to: string): boolean {
  return path.isAbsolute(to) || to.startsWith('/') || (path.sep === '\\' && /^[a-z]:/i.test(to));
}

export interface NewLinks {
  /** Where each new link leads. */
  readonly links: ReadonlyMap<string, string>;
  /** Names of everything that comes with them, links included. */
  readonly names: readonly string[];
  /** Links that were put there before, by the same hand. */
  readonly earlier: ReadonlyMap<string, string>;
  /** What is there without any of these. */
  readonly look: (path: string) => Found;
}

/**
 * Which of some new links may not be made, and why. Links are judged together: each may lead out only
 * through another one, or make one lead out that was put there before.
 */
export function refusedLinks({
  links,
  names,
  earlier,
  look,
}: NewLinks): ReadonlyMap<string, string> {
  const refused = new Map<string, string>();
  const spellings = spellingsOf(names);
  for (const name of links.keys())
    if ((spellings.get(folded(name))?.size ?? 0) > 1)
      refused.set(name, 'it is a link whose name differs from another only in case');
  for (let round = 0; ; round += 1) {
    const accepted = new Map([...links].filter(([name]) => !refused.has(name)));
    const bad = faultsOf(accepted, earlier, withNew({ accepted, spellings, look }));
    for (const [name, why] of bad) refused.set(name, why);
    if (bad.size === 0) return refused;
    if (round < MOST_ROUNDS) continue;
    for (const name of accepted.keys()) refused.set(name, ENDLESS);
    return refused;
  }
}

function faultsOf(
  accepted: ReadonlyMap<string, string>,
  earlier: ReadonlyMap<string, string>,
  look: (path: string) => Found,
): ReadonlyMap<string, string> {
  const bad = new Map<string, string>();
  for (const [name, to] of accepted) {
    const { fault } = followLink(name, to, look);
    if (fault !== undefined) bad.set(name, fault);
  }
  const own = new Map([...accepted.keys()].map((name) => [folded(name), name]));
  for (const [name, to] of earlier) {
    if (own.has(folded(name))) continue;
    const { fault, through } = followLink(name, to, look);
    for (const each of fault === undefined ? [] : through) {
      const guilty = own.get(folded(each));
      if (guilty !== undefined) bad.set(guilty, 'it makes another link lead out of the folder');
    }
  }
  return bad;
}

function withNew({
  accepted,
  spellings,
  look,
}: {
  readonly accepted: ReadonlyMap<string, string>;
  readonly spellings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly look: (path: string) => Found;
}): (path: string) => Found {
  const targets = new Map([...accepted].map(([name, to]) => [folded(name), to]));
  return (at) => {
    const to = targets.get(folded(at));
    if (to !== undefined) return { kind: 'link', to };
    const found = look(at);
    return found.kind === 'absent' && spellings.has(folded(at)) ? { kind: 'there' } : found;
  };
}

/** All names and folders that there will be, as a file system sees them that folds case. */
function spellingsOf(names: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spellings = new Map<string, Set<string>>();
  for (const name of names) {
    const parts = name.split('/');
    for (let length = parts.length; length > 0; length -= 1) {
      const each = parts.slice(0, length).join('/');
      const key = folded(each);
      const known = spellings.get(key);
      // Its folders are known as well then.
      if (known?.has(each) === true) break;
      if (known === undefined) spellings.set(key, new Set([each]));
      else known.add(each);
    }
  }
  return spellings;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
