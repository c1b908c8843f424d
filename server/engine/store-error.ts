export type StoreErrorReason =
  /** SQLite itself does not load: too old a system or Node.js, or a platform without a build. */
  | 'native'
  /** A later release wrote the file; this one would not understand it. */
  | 'newer'
  /** Another process has begun to write the board since: this one must not any more. */
  | 'deposed'
  /** The file lies where several machines reach it, and SQLite cannot keep it whole there. */
  | 'network-file-system'
  /** The disk failed at it: nobody knows what is on it, until the file is opened anew and looked through. */
  | 'disk'
  /** The file was deleted or replaced while it was open: what is written to it is nowhere. */
  | 'gone'
  /** The disk is full, read-only, or the file is locked by a foreign program. */
  | 'world';

/** The store cannot do its work. The message is a sentence for the user. */
export class StoreError extends Error {
  readonly reason: StoreErrorReason;

  constructor(reason: StoreErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.reason = reason;
  }
}

/** Another process is in the middle of a write; the sentence names it. */
export class WriterBusy extends StoreError {
  /** It may stay so for ever: it was suspended. */
  readonly isSuspended: boolean;

  constructor(message: string, { isSuspended, cause }: WriterBusyOptions) {
    super('world', message, { cause });
    this.isSuspended = isSuspended;
  }
}

interface WriterBusyOptions extends ErrorOptions {
  readonly isSuspended: boolean;
}

/** Nobody knows what is on it. */
export function isFailedDisk(error: unknown): error is StoreError {
  return error instanceof StoreError && error.reason === 'disk';
}

/** Nothing may be written through this store any more, and trying again does not help. */
export function isLoss(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.reason === 'deposed' || error.reason === 'gone');
}
