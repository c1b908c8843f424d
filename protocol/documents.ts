/** Client to server, when a document comes to have unsaved changes, or has none any more: `UnsavedChanged`. */
export const UNSAVED_CHANGED = 'documents/unsaved';

/** Only from a client that said `tellsUnsaved`; of others the server looks for itself. */
export interface UnsavedChanged {
  readonly uri: string;
  readonly isUnsaved: boolean;
  /** Of the document, when this was so: the change that brought it may be told before or after. */
  readonly version: number;
}

/** Server to client, to one that said `tellsUnsaved`: a task wrote over what the user had saved. `EditOverwritten`. */
export const EDIT_OVERWRITTEN = 'documents/overwritten';

export interface EditOverwritten {
  readonly uri: string;
  /** The task, or whoever else was writing the file. */
  readonly by: string;
  /** The file as the user had saved it; at most 1 MiB. */
  readonly text: string;
}
