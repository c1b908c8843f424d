/** Client to server, when the user wants a first plan for a folder: `FolderParams` to `StartersReply`. */
export const LIST_STARTERS = 'plans/starters';

/** Client to server, when the user wants to take over what there is: `FolderParams` to `ImportsReply`. */
export const LIST_IMPORTS = 'plans/imports';

/** Server to client, when the plans of a folder were read, and whenever what this says changes: `PlansRead`. */
export const PLANS_READ = 'plans/read';

/** A plan that could be written, ready to be shown and changed. The client writes it where no file is. */
export interface NewPlanText {
  /** A short name, and a clause that says what is in it. */
  readonly label: string;
  readonly detail: string;
  readonly uri: string;
  readonly text: string;
  /** Where its first task is; both count from zero. */
  readonly line: number;
  readonly character: number;
}

export type StartersReply =
  /** The likeliest first; the last one fits every folder. */
  | { readonly kind: 'offered'; readonly starters: readonly NewPlanText[] }
  /** There is a plan, which nobody writes over. */
  | { readonly kind: 'exists'; readonly uri: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

export type ImportSource =
  /** Its tasks are written into a plan of their own. */
  | { readonly kind: 'tasks-json'; readonly uri: string; readonly plan: NewPlanText }
  /** A board is a plan as it is: nothing is written, and there is nothing to be taken over. */
  | {
      readonly kind: 'board';
      readonly uri: string;
      readonly path: string;
      readonly taskCount: number;
    };

export type ImportsReply =
  | { readonly kind: 'found'; readonly sources: readonly ImportSource[] }
  | { readonly kind: 'refused'; readonly message: string };

/** The plans of a folder, also those of which no task is shown. */
export interface PlansRead {
  readonly folderUri: string;
  /** In the order of their paths. */
  readonly plans: readonly FoundPlan[];
}

export interface FoundPlan {
  readonly uri: string;
  /** Its path relative to the folder. */
  readonly path: string;
  readonly hasErrors: boolean;
}
