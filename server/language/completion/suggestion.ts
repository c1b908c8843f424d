import type { HostDefinition } from '../../domain/host.ts';
import type { TextRange } from '../../plans/plan.ts';
import type { PlanInFolder, PlansOfFolder } from '../plan-in-folder.ts';

/** Something that may stand where the cursor is. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'word' | 'task' | 'name' | 'file' | 'folder' | 'new';
  /** What is said of it in a word or two, beside it. */
  readonly detail: string;
  /** Markdown. */
  readonly about: string;
  /** What is written instead of what is in `range`. */
  readonly text: string;
  /** The same with `$0` where the cursor goes, and `${1:x}` for what is to be filled in. */
  readonly snippet?: string;
  /** What the user must have typed of it for it to be offered: like `text` from its first character on. */
  readonly typed: string;
  readonly range: TextRange;
  /** Another text is written once it is typed to its end, so it is asked for again with each key. */
  readonly isUntilTyped?: boolean;
}

/** What lies in a folder of the workspace. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** By git; absent where nobody has asked. */
  readonly isIgnored?: boolean;
}

/** What a suggestion may be about, besides the text itself. */
export interface Surroundings {
  readonly plan: PlanInFolder;
  readonly folder: PlansOfFolder;
  readonly agents: readonly string[];
  /** Those of the user. */
  readonly hosts: readonly HostDefinition[];
  /** Nothing for what is no folder. */
  entriesOf(folder: string): readonly FolderEntry[];
}
