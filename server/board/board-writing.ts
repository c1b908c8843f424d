import type { TaskId } from '../domain/ids.ts';
import { type BoardConfig, readBoardConfig } from '../plans/kanban/board-config.ts';
import { editFrontmatter } from '../plans/kanban/edit-frontmatter.ts';
import { type BoardNews, moveOf } from '../plans/kanban/moves.ts';
import { numberInName, readTaskFile, type TaskFile } from '../plans/kanban/task-file.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import type { PlanFiles, SharedFiles, TextChange } from './ports.ts';

/** A task of a board on disk. */
export interface TaskPlace {
  readonly root: string;
  readonly plan: string;
  readonly task: TaskId;
}

export type Written =
  /** What the user should know is in complete sentences but for the task they are about. */
  | { readonly kind: 'settled'; readonly notices: readonly string[] }
  /** Somebody else has the file. */
  | { readonly kind: 'later' };

const NOTHING: Written = { kind: 'settled', notices: [] };

/** Changes the file of one task, whoever else changes it. */
export class BoardWriting {
  readonly #files: PlanFiles;
  readonly #shared: SharedFiles;

  constructor({ files, shared }: { readonly files: PlanFiles; readonly shared: SharedFiles }) {
    this.#files = files;
    this.#shared = shared;
  }

  /** Says in the file what has become of its task, in the order in which it happened. */
  write(place: TaskPlace, news: readonly BoardNews[]): Written {
    const { root, plan } = place;
    const source = this.#files.board(root, plan);
    const config = readBoardConfig(this.#files.read(root, plan) ?? '');
    // Who has deleted a board, or has a newer one, does not want it changed.
    if (source === undefined || config.refusal !== undefined) return NOTHING;
    const file = this.#find(place, source);
    if (file === undefined) return NOTHING;
    const edit = new TaskEdit({ file, config, news, nowMs: this.#shared.timeOfDay() }, () =>
      this.#readAll(root, source),
    );
    const result = this.#shared.change(root, file, (text) => edit.change(text));
    switch (result.kind) {
      case 'written':
      case 'kept':
        return { kind: 'settled', notices: edit.notices };
      case 'gone':
        return NOTHING;
      case 'busy':
        return { kind: 'later' };
      case 'failed':
        return {
          kind: 'settled',
          notices: [`its file could not be changed, because ${result.message}`],
        };
      default:
        return result satisfies never;
    }
  }

  /** Mostly its name says which one it is. */
  #find({ root, task }: TaskPlace, { path, files }: PlanSource): string | undefined {
    const isIt = (file: string): boolean =>
      String(readTaskFile(file, this.#files.read(root, file) ?? '').id) === task;
    const tasks = files.filter((file) => file !== path);
    const named = tasks.filter((file) => String(numberInName(file)) === task);
    return named.find(isIt) ?? tasks.find((file) => !named.includes(file) && isIt(file));
  }

  #readAll(root: string, { path, files }: PlanSource): readonly TaskFile[] {
    return files
      .filter((file) => file !== path)
      .map((file) => readTaskFile(file, this.#files.read(root, file) ?? ''));
  }
}

interface Wanted {
  readonly file: string;
  readonly config: BoardConfig;
  readonly news: readonly BoardNews[];
  readonly nowMs: number;
}

class TaskEdit {
  readonly #wanted: Wanted;
  readonly #files: () => readonly TaskFile[];
  #notices: readonly string[] = [];

  constructor(wanted: Wanted, files: () => readonly TaskFile[]) {
    this.#wanted = wanted;
    this.#files = files;
  }

  /** Of the last time that it was asked. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  change(before: string): TextChange {
    const { file, config, news, nowMs } = this.#wanted;
    const notices: string[] = [];
    let text = before;
    for (const each of news) {
      const task = readTaskFile(file, text);
      if (task.problems.some(({ code }) => code === 'syntax' || code === 'missing-key'))
        return { kind: 'later' };
      const move = moveOf(task, each, { config, nowMs, files: this.#files });
      if (move.kind === 'refused') {
        notices.push(move.message);
        continue;
      }
      if (move.notice !== undefined) notices.push(move.notice);
      const result = editFrontmatter(text, move.changes);
      if (result.kind === 'edited') text = result.text;
      else notices.push(`its file was left as it is. ${result.message}`);
    }
    this.#notices = [...new Set(notices)];
    return text === before ? { kind: 'keep' } : { kind: 'write', text };
  }
}
