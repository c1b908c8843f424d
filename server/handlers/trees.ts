import { readTree } from '../language/yaml/read-tree.ts';
import type { YamlTree } from '../language/yaml/tree.ts';
import type { PlanTexts } from '../plans/read-plan.ts';

/** The shapes of texts, each worked out once, and forgotten with the text. */
export class Trees {
  readonly #known = new WeakMap<PlanTexts, Map<string, YamlTree>>();

  of(texts: PlanTexts, file: string): YamlTree {
    const known = this.#known.get(texts) ?? new Map<string, YamlTree>();
    this.#known.set(texts, known);
    const tree = known.get(file) ?? readTree(texts.get(file) ?? '');
    known.set(file, tree);
    return tree;
  }
}
