import { LinkError } from '../channel.ts';

/** A connection has as many channels as its host allows; another one, or a moment later, may do. */
export class NoRoom extends LinkError {
  constructor(message: string, cause: unknown) {
    super(message, { mayPass: true, cause });
  }
}
