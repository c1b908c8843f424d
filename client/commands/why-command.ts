import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  LET_START,
  type LetStartReply,
  type TaskKey,
  type TaskView,
} from '../../protocol/tasks.ts';
import {
  type BlockerAction,
  CLEAR_BLOCKER,
  type ClearBlocker,
  type ClearReply,
  WHY_TASK,
  type WhyReply,
} from '../../protocol/why.ts';
import { keyOf, namesOf } from '../task-list.ts';
import { type WhyItem, whyItems, whyTitle } from '../views/why-model.ts';
import type { Part, Window } from '../window.ts';
import { isCalledFor } from './called-for.ts';
import { chooseTask } from './choose-task.ts';
import { sayFailure } from './say-failure.ts';
import { showInformation } from '../show-message.ts';

export const whyCommand: Part = (window) => {
  let shown: Explanation | undefined;
  // A server that has gone answers nothing; what is shown goes with it.
  window.tasks.onChange(() => void shown?.refresh().catch(() => {}));
  return {
    'interlock.task.letStart': async (node) => letStart(window, node),
    'interlock.task.why': async (node) => {
      const task = await chooseTask(window, node, {
        placeHolder: l10n.t('Why is which task not running?'),
        from: inTrouble(window),
      });
      if (task === undefined) return;
      shown?.dispose();
      shown = new Explanation(window, task);
      await shown.refresh();
    },
  };
};

/** The person lets a task go first that waits for a file of theirs. */
async function letStart(window: Window, node: unknown): Promise<void> {
  const waiting = window.tasks.all.filter(({ waitsForYou }) => waitsForYou === true);
  const called = isCalledFor(node);
  if (!called && waiting.length === 0) {
    void showInformation(l10n.t('No task waits for a file that you are editing.'));
    return;
  }
  const task = await chooseTask(window, node, {
    placeHolder: l10n.t('Select a task to start beside your edits'),
    from: waiting,
  });
  if (task === undefined) return;
  const { message } = await window.server.ask<LetStartReply>(LET_START, namesOf(task));
  if (message !== undefined) void showInformation(message);
}

/** What waits comes first: that is what is asked about. */
function inTrouble({ tasks }: Window): readonly TaskView[] {
  return tasks.all.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
}

function isWaiting({ state }: TaskView): boolean {
  return state === 'waiting' || state === 'blocked' || state === 'attention' || state === 'ready';
}

type Row = vscode.QuickPickItem & Pick<WhyItem, 'blocker' | 'command'>;

/** What is in the way of one task, for as long as it is open; choosing a row does something about it. */
class Explanation implements vscode.Disposable {
  readonly #window: Window;
  readonly #key: TaskKey;
  readonly #pick = vscode.window.createQuickPick<Row>();
  #isOpen = true;
  #text = '';

  constructor(window: Window, task: TaskKey) {
    this.#window = window;
    this.#key = namesOf(task);
    this.#pick.title = l10n.t('Why is "{0}" not running?', task.id);
    this.#pick.placeholder = l10n.t('Choose a row to do something about it');
    this.#pick.matchOnDetail = true;
    this.#pick.ignoreFocusOut = true;
    this.#pick.onDidAccept(() => void this.#accept().catch(sayFailure));
    this.#pick.onDidHide(() => this.dispose());
  }

  /** Asked again whenever a task has changed; rows that stay keep the cursor. */
  async refresh(): Promise<void> {
    if (!this.#isOpen) return;
    const { server, tasks, workers } = this.#window;
    let reply: WhyReply;
    try {
      reply = await server.ask<WhyReply>(WHY_TASK, this.#key);
    } catch (error) {
      this.dispose();
      throw error;
    }
    const items = whyItems(reply, workers.now, tasks.get(keyOf(this.#key))?.detail);
    const text = JSON.stringify(items);
    if (!this.#isOpen || text === this.#text) return;
    this.#text = text;
    this.#pick.title = whyTitle(this.#key.id, reply);
    const at = this.#pick.activeItems[0]?.blocker?.key;
    this.#pick.items = items.map(rowOf);
    const same = this.#pick.items.find(({ blocker }) => blocker?.key === at);
    if (at !== undefined && same !== undefined) this.#pick.activeItems = [same];
    this.#pick.show();
  }

  dispose(): void {
    this.#isOpen = false;
    this.#pick.dispose();
  }

  async #accept(): Promise<void> {
    const [row] = this.#pick.activeItems;
    if (row?.command !== undefined) {
      this.dispose();
      await vscode.commands.executeCommand(row.command, this.#key);
      return;
    }
    const blocker = row?.blocker;
    const action = blocker?.action;
    if (action === undefined) return;
    // What the server does shows here: the reason goes, and the next one is there.
    if (action.kind !== 'clear') {
      this.dispose();
      await perform(action);
      return;
    }
    const params: ClearBlocker = { ...this.#key, key: blocker?.key ?? '' };
    const { message } = await this.#window.server.ask<ClearReply>(CLEAR_BLOCKER, params);
    if (message !== undefined) void showInformation(message);
    await this.refresh();
  }
}

function rowOf({ isSection, label, description, detail, blocker, command }: WhyItem): Row {
  return isSection
    ? { label, kind: vscode.QuickPickItemKind.Separator, blocker, command }
    : { label, description, detail, blocker, command };
}

async function perform(action: Exclude<BlockerAction, { kind: 'clear' }>): Promise<void> {
  const { executeCommand } = vscode.commands;
  switch (action.kind) {
    case 'trust':
      await executeCommand('workbench.trust.manage');
      return;
    case 'open': {
      const at = new vscode.Position(action.line, action.character);
      const uri = vscode.Uri.parse(action.uri);
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
      return;
    }
    case 'show':
      await executeCommand('interlock.task.why', action.task);
      return;
    case 'run':
      await executeCommand('interlock.task.runThis', action.task);
      return;
    case 'claim':
      await executeCommand('interlock.task.claim', action.task);
      return;
    default:
      return action satisfies never;
  }
}
