/** A machine refuses, or we refuse what it sends; the message is a clause. */
export class SyncRefused extends Error {
  /** Trying again may help; or somebody has to do something first. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = true } = {}) {
    super(message);
    this.mayPass = mayPass;
  }
}
