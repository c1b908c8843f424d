import type { PlanInFolder } from '../language/plan-in-folder.ts';
import { treeOf } from '../language/vocabulary.ts';
import type { YamlTree } from '../language/yaml/tree.ts';
import type { PlanTexts } from '../plans/read-plan.ts';

/** The shapes of texts, each worked out once, and forgotten with the text. */
export class Trees {
  readonly #known = new WeakMap<PlanTexts, Map<string, YamlTree>>();

  of(plan: PlanInFolder, file: string): YamlTree {
    const { texts } = plan;
    const known = this.#known.get(texts) ?? new Map<string, YamlTree>();
    this.#known.set(texts, known);
    const tree = known.get(file) ?? treeOf(plan, file);
    known.set(file, tree);
    return tree;
  }
}
