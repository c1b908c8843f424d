import type { HostDefinition } from '../domain/host.ts';

/** The hosts that the user lets tasks run on, wherever they have named them. */
export interface UserHosts {
  readonly hosts: readonly HostDefinition[];
  /** What those are called of which the user says that they never come back. */
  readonly gone: readonly string[];
  /** What is wrong with them, each a sentence for the user. */
  readonly problems: readonly string[];
  /** Whenever one of the two is another; until it is disposed of. */
  onChanged(listener: () => void): Disposable;
  /** What the setting of this editor says now. */
  configure(setting: unknown): void;
}
