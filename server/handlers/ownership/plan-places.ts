import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DiagnosticRelatedInformation, Location } from 'vscode-languageserver';
import { type ClaimedTask, type FileClaim, holds } from '../../board/file-claims.ts';
import { type LoadedPlan, loosePlan } from '../../board/plan-set.ts';
import type { BoardWorld } from '../../board/ports.ts';
import type { PathRules } from '../../domain/paths/fold.ts';
import type { PlanTask, TextRange } from '../../plans/plan.ts';
import { positionsIn } from '../../plans/positions.ts';
import type { Places } from '../convert.ts';
import type { Folder } from '../folder.ts';
import { fileOf } from '../../plans/plan-source.ts';
import { isPlanFileName } from '../../plans/plan-file-names.ts';

interface FoundPlan {
  readonly plan: LoadedPlan;
  readonly places: Places;
}

/** Where a task is written, and the line of it that has a file, also in plans of folders that are not open. */
export class PlanPlaces {
  readonly #world: BoardWorld;
  readonly #folders: () => readonly Folder[];
  /** Plans that no folder of the client has, by their files, as long as their text is the same. */
  readonly #elsewhere = new Map<string, LoadedPlan>();
  readonly #rules = new Map<string, PathRules>();

  constructor(world: BoardWorld, folders: () => readonly Folder[]) {
    this.#world = world;
    this.#folders = folders;
  }

  /** The line that holds `file`, which counts from the top of the working tree. */
  related(claim: FileClaim, file: string): DiagnosticRelatedInformation | undefined {
    const found = claim.task && this.#find(claim.task);
    if (found === undefined) return undefined;
    const { task, plan, places } = found;
    const mentions = claim.how === 'writes' ? task.writeMentions : task.readMentions;
    const folder = claim.task?.folder;
    const rules = this.#rulesOf(claim.task?.root ?? '');
    const mention = mentions.find(({ text: pattern }) =>
      holds({ pattern, folder, path: file }, rules),
    );
    const verb = claim.how === 'writes' ? 'writes' : 'reads';
    const message =
      mention === undefined
        ? `"${task.id}" is here.`
        : `"${task.id}" says here that it ${verb} this file.`;
    return { message, location: locationOf(mention?.range ?? task.idRange, { plan, places }) };
  }

  /** Where the id of a task is written. */
  taskAt(claimed: ClaimedTask): Location | undefined {
    const found = this.#find(claimed);
    return found && locationOf(found.task.idRange, found);
  }

  /** Asking the disk once is enough. */
  #rulesOf(root: string): PathRules {
    const rules = this.#rules.get(root) ?? this.#world.rulesOf(root);
    this.#rules.set(root, rules);
    return rules;
  }

  #find(claimed: ClaimedTask): (FoundPlan & { readonly task: PlanTask }) | undefined {
    const found = this.#planOf(claimed);
    const task = found?.plan.plan.tasks.find(({ id }) => id === claimed.id);
    return found === undefined || task === undefined ? undefined : { ...found, task };
  }

  #planOf({ root, plan: name }: ClaimedTask): FoundPlan | undefined {
    const folder = this.#folders().find(({ board }) => board.root === root);
    if (folder === undefined) return this.#planElsewhere(root, name);
    const plan = folder.board.plans.get(name);
    return plan && { plan, places: folder.places };
  }

  #planElsewhere(root: string, name: string): FoundPlan | undefined {
    if (!isPlanFileName(path.basename(name))) return undefined;
    const text = this.#world.files.read(root, name);
    if (text === undefined) return undefined;
    const file = path.join(root, name);
    const known = this.#elsewhere.get(file);
    const isSame = known?.texts.get(file) === text;
    const plan = isSame ? known : loosePlan(file, text, this.#rulesOf(root));
    if (this.#elsewhere.size >= ELSEWHERE_LIMIT) this.#elsewhere.clear();
    this.#elsewhere.set(file, plan);
    return {
      plan,
      places: {
        uriOf: (each) => pathToFileURL(each).href,
        positionsOf: positionsIn((each) => plan.texts.get(each)),
      },
    };
  }
}

const ELSEWHERE_LIMIT = 20;

function locationOf(range: TextRange, { plan, places }: FoundPlan): Location {
  const file = fileOf(range, plan);
  return { uri: places.uriOf(file), range: places.positionsOf(file).range(range) };
}
