/** The input and output of a shell on a machine, `/bin/sh` or whatever it has become. */
export interface Channel {
  write(text: string | Buffer): void;
  /** Nobody has listened before: nothing is lost until then. */
  listen(listener: ChannelListener): void;
  close(): void;
}

export interface ChannelListener {
  readonly onBytes: (bytes: Buffer) => void;
  /** Told once, whoever closed it; `why` is a clause for the user. */
  readonly onClosed: (why: string) => void;
}

/** A way to a machine. */
export interface Link {
  /** A shell that reads what is written to it. Throws `LinkError` where there is no way. */
  open(): Promise<Channel>;
  /** Nobody answers on the connection that there is: the next channel has another one. */
  renew?(): void;
  close(): void;
}

/** The message is a sentence for the user. */
export class LinkError extends Error {
  /** Trying again may help; or somebody has to do something first. */
  readonly mayPass: boolean;
  /** Who comes again and again like that is taken for an intruder. */
  readonly isRefused: boolean;

  constructor(
    message: string,
    {
      mayPass,
      isRefused = false,
      cause,
    }: { mayPass: boolean; isRefused?: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.mayPass = mayPass;
    this.isRefused = isRefused;
  }
}
