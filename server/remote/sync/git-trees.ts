import { displayLine } from '../../domain/display-text.ts';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import type { HostShell } from '../host-shell.ts';
import { fetchResult, said, sendCommit } from './bundles.ts';
import { keepResult, type ResultWish } from './keep-result.ts';
import { pathspecs } from './pathspecs.ts';
import { readRepository, type Repository } from './repository.ts';
import { type Found, refusedLinks } from './received-links.ts';
import {
  type Changes,
  type Entry,
  LINK,
  linkTargets,
  readChanges,
  readDiff,
  readTree,
  SUBMODULE,
  textOf,
} from './result.ts';
import { makeBranch } from './result-branch.ts';
import type { SentTrees, TreeWish } from './sent-trees.ts';
import type { Snapshot } from './snapshot.ts';
import { SyncRefused } from './sync-refused.ts';

/** A shell on a machine, in the folder of our trees. */
export interface TreeShell {
  readonly shell: HostShell;
  readonly home: string;
  readonly host: string;
}

/** Working trees of git repositories on machines. */
export class GitTrees {
  readonly #trees: SentTrees;

  constructor(trees: SentTrees) {
    this.#trees = trees;
  }

  /** Answers with the folder there. Throws `SyncRefused`. */
  async send(
    { shell, home, host }: TreeShell,
    {
      snapshot,
      wish,
      signal,
    }: { snapshot: Snapshot; wish: TreeWish; signal: AbortSignal | undefined },
  ): Promise<string> {
    const { head, sent, prefix } = snapshot;
    const { term, cwd } = wish;
    await sendCommit({ store: this.#trees.store, host, shell, commit: sent, signal });
    signal?.throwIfAborted();
    const folder = [prefix, cwd].filter((each) => each !== '').join('/');
    const { status, lines } = await shell.ask('il_tree', term, sent, head, folder);
    if (status === NO_FOLDER)
      throw new SyncRefused(
        `there is no folder "${cwd}" in what was sent: git ignores it, or it is empty`,
        LASTING,
      );
    if (status !== 0) throw new SyncRefused(said(lines, 'the disk there may be full'));
    return [`${home}/t/${term}`, folder].filter((each) => each !== '').join('/');
  }

  /** Answers with what the user should know. Throws `SyncRefused`. */
  async bringBack(
    { shell }: TreeShell,
    wish: ResultWish,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const { root, term, outputs, artifacts } = wish;
    const { store } = this.#trees;
    const repository = await this.#trees.read(root, readRepository);
    if (typeof repository === 'string') throw new SyncRefused(repository, LASTING);
    const patterns = pathspecs([...outputs, ...artifacts]);
    const answer = await shell.ask('il_changes', term, repository.prefix, ...patterns);
    if (answer.status === NOT_THERE)
      throw new SyncRefused(`its tree of term ${term} is not there any more`, LASTING);
    if (answer.status !== 0)
      throw new SyncRefused(said(answer.lines, 'the disk there may be full'));
    const { result: tip, head, own, hasOutputs, bytes } = readAnswer(answer.lines);
    const notices = ownNotices(wish, own);
    if (tip === undefined) return notices;
    await fetchResult({ store, shell, term, result: tip, bytes, signal });
    const sent = await this.#trees.hash(term, 'sent');
    const ofTree = hasOutputs ? `${tip}^1` : tip;
    if (sent === undefined || (await store.ask(['rev-parse', `${ofTree}^1`])) !== sent)
      throw new SyncRefused(
        `what came back for term ${term} does not begin with what was sent`,
        LASTING,
      );
    const changes = await readChanges(
      store,
      {
        sent,
        plain: await this.#trees.hash(term, 'plain'),
        result: ofTree,
        ignored: hasOutputs ? tip : undefined,
      },
      {
        outputs: parsePathSet(outputs, repository.prefix),
        artifacts: parsePathSet(artifacts, repository.prefix),
      },
    );
    const result = { wish, repository, changes };
    // Nothing else than what it has sent is taken for the task's own.
    const committed =
      head !== undefined && (await store.ask(['rev-parse', `${ofTree}^2`])) === head
        ? head
        : undefined;
    const told = await this.#trees.alone(async () => {
      signal?.throwIfAborted();
      return [
        ...(await keepResult(store, result)),
        ...(await this.#branch(result, { tree: ofTree, committed })),
      ];
    });
    return [...notices, ...told];
  }

  /** What does not come into the tree, where there is a repository for it. */
  async #branch(
    { wish, repository, changes }: { wish: ResultWish; repository: Repository; changes: Changes },
    { tree, committed }: { readonly tree: string; readonly committed: string | undefined },
  ): Promise<readonly string[]> {
    const { commonFolder } = repository;
    if (commonFolder === undefined) return [];
    const { store } = this.#trees;
    const { term } = wish;
    const wrong = await this.#wrongLinks(changes.others, tree);
    const changed = changes.others.filter(({ name }) => !wrong.has(textOf(name)));
    const base = await this.#trees.hash(term, 'base');
    const kept = base === undefined ? changes.others : await readDiff(store, base, tree);
    const isKept = new Set(kept.map(({ name }) => name));
    const branch = await makeBranch(store, {
      ...wish,
      commonFolder,
      base,
      committed: await this.#committed(term, committed),
      changed,
    });
    const undone = changes.others.filter(({ name }) => !isKept.has(name));
    return [
      ...undoneNotices(wish, undone),
      ...linkNotices(wish, wrong),
      ...(branch === undefined ? [] : [branch]),
    ];
  }

  /** Links among these that lead out of the tree, through whatever other links it has. */
  async #wrongLinks(changed: readonly Entry[], tree: string): Promise<ReadonlyMap<string, string>> {
    const { store } = this.#trees;
    const links = await linkTargets(store, changed);
    const unread = changed.filter(({ name, mode }) => mode === LINK && !links.has(textOf(name)));
    const nowhere = unread.map(({ name }) => [textOf(name), 'it leads nowhere'] as const);
    if (links.size === 0) return new Map(nowhere);
    const all = await readTree(store, tree);
    const others = await linkTargets(store, all);
    const look = (name: string): Found => {
      const to = others.get(name);
      return to === undefined ? { kind: 'there' } : { kind: 'link', to };
    };
    const names = all.map(({ name }) => textOf(name));
    const earlier = new Map([...others].filter(([name]) => !links.has(name)));
    return new Map([...refusedLinks({ links, names, earlier, look }), ...nowhere]);
  }

  /**
   * What the task has committed itself, where that goes on from what the user has, and brings no
   * submodule and no link that leads out.
   */
  async #committed(term: number, now: string | undefined): Promise<string | undefined> {
    const [head, base] = await Promise.all([
      this.#trees.hash(term, 'head'),
      this.#trees.hash(term, 'base'),
    ]);
    if (now === undefined || head === undefined || head !== base) return undefined;
    const isOnTop = await this.#trees.store.ask(['merge-base', '--is-ancestor', head, now]);
    if (isOnTop === undefined) return undefined;
    const changed = await readDiff(this.#trees.store, head, now);
    const isWrong = changed.some(({ mode }) => mode === SUBMODULE);
    return isWrong || (await this.#wrongLinks(changed, now)).size > 0 ? undefined : now;
  }
}

const NO_FOLDER = 12;
const NOT_THERE = 14;
const LASTING = { mayPass: false };

interface ResultAnswer {
  /** Absent: nothing has changed. */
  readonly result: string | undefined;
  readonly bytes: number;
  readonly head: string | undefined;
  readonly hasOutputs: boolean;
  readonly own: readonly string[];
}

function readAnswer(lines: readonly string[]): ResultAnswer {
  const all = (name: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const hash = (name: string): string | undefined => all(name).find((each) => HASH.test(each));
  return {
    result: hash('result'),
    head: hash('head'),
    bytes: Number(all('bundle')[0]) || 0,
    hasOutputs: lines.includes('outputs'),
    own: all('own'),
  };
}

const HASH = /^[\da-f]{40,64}$/;

/** What was not committed, and is as it was before that: no branch on top of the commit can say so. */
function undoneNotices({ task, host }: ResultWish, undone: readonly Entry[]): readonly string[] {
  if (undone.length === 0) return [];
  const names = displayLine(
    undone
      .slice(0, 3)
      .map(({ name }) => textOf(name))
      .join(', '),
  );
  const more = undone.length > 3 ? ` and ${undone.length - 3} more` : '';
  return [
    `${task} has undone on ${host} what is not committed of ${names}${more}. Here it stays as it is.`,
  ];
}

function linkNotices(
  { task, host }: ResultWish,
  wrong: ReadonlyMap<string, string>,
): readonly string[] {
  const [first] = wrong;
  if (first === undefined) return [];
  const more = wrong.size > 1 ? ` and ${wrong.size - 1} more` : '';
  return [
    `Not on the branch: ${displayLine(first[0])}${more}, which ${task} has made on ${host}, because ${first[1]}.`,
  ];
}

function ownNotices({ task, host }: ResultWish, own: readonly string[]): readonly string[] {
  if (own.length === 0) return [];
  return [
    `${task} has made repositories of their own on ${host}, which do not come back: ${displayLine(own.slice(0, 3).join(', '))}.`,
  ];
}
