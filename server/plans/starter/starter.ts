/** What a folder is built with. */
export const STARTER_KINDS = ['npm', 'cargo', 'go', 'python', 'make', 'small'] as const;

export type StarterKind = (typeof STARTER_KINDS)[number];

/** A task of a plan that is about to be written. */
export interface StarterTask {
  readonly id: string;
  /** Lines above it. */
  readonly comments?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly run: string;
  readonly cwd?: string;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** A first plan for a folder, before it is text. */
export interface StarterDraft {
  readonly kind: StarterKind;
  /** The file that it is made from, or nothing when it is made from none. */
  readonly source: string | undefined;
  readonly tasks: readonly StarterTask[];
  /** Lines below the tasks. */
  readonly notes: readonly string[];
}
