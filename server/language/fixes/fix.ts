import type { Problem, TextRange } from '../../plans/plan.ts';

/** A text that takes the place of another, in the file that a fix is for. */
export interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

/** What would mend a problem, or do something that is asked for often. */
export interface Fix {
  readonly title: string;
  /** The one that is most likely meant. */
  readonly isPreferred: boolean;
  readonly problem: Problem | undefined;
  readonly edits: readonly Edit[];
}
