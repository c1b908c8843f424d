import type { Connection } from 'vscode-languageserver';
import {
  GRAPH_CHANGED,
  type GraphKey,
  type GraphReply,
  LEAVE_GRAPH,
  SHOW_GRAPH,
} from '../../protocol/graph.ts';
import {
  FOLLOW_TIMELINE,
  LEAVE_TIMELINE,
  type RunSummary,
  TIMELINE_CHANGED,
  TIMELINE_RUNS,
  type TimelineChanged,
  type TimelineReply,
} from '../../protocol/timeline.ts';
import { sentenceOf } from '../board/board.ts';
import { parseRunId } from '../domain/ids.ts';
import type { AnalyzedPlan } from '../plans/plan.ts';
import { type FollowedRun, followRun, newestRuns } from '../pictures/follow-run.ts';
import { graphOf } from '../pictures/plan-graph.ts';
import type { Feature } from './feature.ts';
import type { Folder } from './folder.ts';
import { WhenQuiet } from './when-quiet.ts';
import type { Workspace } from './workspace.ts';

/** Nobody looks at more pictures at once; whoever is over it is told. */
const FOLLOW_LIMIT = 50;

/** Timelines and graphs: what they show is worked out in `server/pictures/`. */
export const pictureFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    const pictures = new Pictures(connection, workspace);
    connection.onRequest(TIMELINE_RUNS, () => pictures.runs());
    connection.onRequest<TimelineReply, void>(FOLLOW_TIMELINE, (params: unknown) =>
      pictures.follow(params),
    );
    connection.onRequest(LEAVE_TIMELINE, (params: unknown) => pictures.leaveRun(params));
    connection.onRequest<GraphReply, void>(SHOW_GRAPH, (params: unknown) => pictures.graph(params));
    connection.onRequest(LEAVE_GRAPH, (params: unknown) => pictures.leaveGraph(params));
    workspace.onNews(() => pictures.look());
    workspace.leaving.push((folder) => pictures.forget(folder));
  },
};

interface Shown {
  readonly folder: Folder;
  readonly run: FollowedRun;
  /** What the client knows of each row. */
  readonly sent: Map<string, string>;
  readonly quiet: WhenQuiet;
}

/** What the client looks at, and what it was last told of it, so that only changes are sent. */
class Pictures {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #runs = new Map<string, Shown>();
  readonly #graphs = new Map<string, { readonly folder: Folder; readonly plan: AnalyzedPlan }>();

  constructor(connection: Connection, workspace: Workspace) {
    this.#connection = connection;
    this.#workspace = workspace;
  }

  runs(): readonly RunSummary[] {
    return this.#workspace.loadedFolders
      .flatMap(({ board, uri }) =>
        board.live === undefined ? [] : newestRuns(board.live.store, { root: board.root, uri }),
      )
      .toSorted((a, b) => b.requestedAt - a.requestedAt);
  }

  follow(params: unknown): TimelineReply {
    const { folderUri, run: word } = wordsOf(params);
    const folder = this.#workspace.get(folderUri);
    const run = parseRunId(word);
    if (folder === undefined) return refused('This folder is not open.');
    const open = folder.board.live;
    if (run === undefined || open === undefined) return refused(`There is no run "${word}".`);
    try {
      const followed = followRun({ open, rules: folder.board.rules, folderUri }, run);
      if (followed === undefined) return refused(`There is no run "${word}".`);
      if (!followed.isKept) return refused('Nothing of this run is kept but its end.');
      this.#leave(keyOf(folderUri, run));
      if (this.#runs.size >= FOLLOW_LIMIT)
        return refused(`Close a timeline first: no more than ${FOLLOW_LIMIT} are kept up to date.`);
      const timeline = followed.timeline();
      const sent = new Map(timeline.rows.map((row) => [row.id, JSON.stringify(row)]));
      const quiet = new WhenQuiet(open.alarm, () => this.#tell(keyOf(folderUri, run)));
      if (timeline.finishedAt === undefined)
        this.#runs.set(keyOf(folderUri, run), { folder, run: followed, sent, quiet });
      return { kind: 'timeline', timeline };
    } catch (error) {
      return refused(sentenceOf(error));
    }
  }

  leaveRun(params: unknown): void {
    const { folderUri, run } = wordsOf(params);
    this.#leave(keyOf(folderUri, run));
  }

  graph(params: unknown): GraphReply {
    const { folderUri, plan, around } = wordsOf(params);
    const folder = this.#workspace.get(folderUri);
    if (folder === undefined) return refused('This folder is not open.');
    const loaded = folder.board.plans.get(plan);
    if (loaded === undefined) return refused(`There is no plan "${plan}" in this folder.`);
    const key = keyOf(folderUri, plan);
    if (!this.#graphs.has(key) && this.#graphs.size >= FOLLOW_LIMIT)
      return refused(`Close a graph first: no more than ${FOLLOW_LIMIT} are kept up to date.`);
    this.#graphs.set(key, { folder, plan: loaded.plan });
    const { rules } = folder.board;
    return graphOf({
      folderUri,
      plan,
      loaded,
      rules,
      around: around === '' ? undefined : around,
    });
  }

  leaveGraph(params: unknown): void {
    const { folderUri, plan } = wordsOf(params);
    this.#graphs.delete(keyOf(folderUri, plan));
  }

  /** Something has happened on a board, or a plan is another one. */
  look(): void {
    for (const { quiet } of this.#runs.values()) quiet.ask();
    for (const [key, { folder, plan }] of this.#graphs) {
      const [, path = ''] = key.split('\n');
      if (folder.board.plans.get(path)?.plan === plan) continue;
      // Whoever is told asks again, and is told again then.
      this.#graphs.delete(key);
      const changed: GraphKey = { folderUri: folder.uri, plan: path };
      void this.#connection.sendNotification(GRAPH_CHANGED, changed);
    }
  }

  forget(folder: Folder): void {
    for (const [key, shown] of this.#runs) if (shown.folder === folder) this.#leave(key);
    for (const [key, shown] of this.#graphs) if (shown.folder === folder) this.#graphs.delete(key);
  }

  #leave(key: string): void {
    this.#runs.get(key)?.quiet[Symbol.dispose]();
    this.#runs.delete(key);
  }

  #tell(key: string): void {
    const shown = this.#runs.get(key);
    if (shown === undefined || !shown.run.readOn()) return;
    const { rows, ...run } = shown.run.timeline();
    const changed = rows.filter((row) => {
      const text = JSON.stringify(row);
      const isSame = shown.sent.get(row.id) === text;
      shown.sent.set(row.id, text);
      return !isSame;
    });
    const { folderUri, nowAt, state, finishedAt } = run;
    const told: TimelineChanged = {
      folderUri,
      run: run.run,
      nowAt,
      state,
      ...(finishedAt !== undefined && { finishedAt }),
      rows: changed,
    };
    void this.#connection.sendNotification(TIMELINE_CHANGED, told);
    if (finishedAt !== undefined) this.#leave(key);
  }
}

function refused(message: string): { readonly kind: 'refused'; readonly message: string } {
  return { kind: 'refused', message };
}

function keyOf(folderUri: string, name: string): string {
  return `${folderUri}\n${name}`;
}

type Words = Readonly<Record<'folderUri' | 'run' | 'plan' | 'around', string>>;

/** What is no word is the empty one, and names nothing. */
function wordsOf(params: unknown): Words {
  const given: Partial<Record<string, unknown>> =
    typeof params === 'object' && params !== null ? { ...params } : {};
  const word = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    folderUri: word('folderUri'),
    run: word('run'),
    plan: word('plan'),
    around: word('around'),
  };
}
