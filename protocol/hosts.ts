import type { DoctorCheck } from './doctor.ts';
import type { TaskKey } from './tasks.ts';

/** Client to server, before the user picks a host: nothing to `HostsReply`. */
export const LIST_HOSTS = 'hosts/list';

/** Client to server, when the user wants to know what is wrong with a host: `HostParams` to `HostReport`. */
export const CHECK_HOST = 'hosts/check';

/** Client to server, before the user is asked whether they trust a host: `HostParams` to `HostKeyReply`. */
export const ASK_HOST_KEY = 'hosts/key';

/** Client to server, when the user has said that they do: `TrustHostKey` to `TrustReply`. */
export const TRUST_HOST_KEY = 'hosts/trust';

/** Client to server, when the user wants to see what a task does: `FindSession` to `SessionReply`. */
export const FIND_SESSION = 'sessions/find';

export interface HostsReply {
  readonly hosts: readonly HostName[];
  /** What is wrong in the settings, each a sentence for the user. */
  readonly problems: readonly string[];
}

interface HostName {
  /** What plans call it. */
  readonly name: string;
  /** What the user would write after `ssh`. */
  readonly ssh: string;
}

/** Names a host of the user's settings. */
export interface HostParams {
  readonly host: string;
}

export interface HostReport {
  /** Within a minute; in an order in which one needs the other. */
  readonly checks: readonly DoctorCheck[];
}

export type HostKeyReply =
  /** Nobody knows the key yet: `fingerprint` is for the user to compare, `file` where it would be written. */
  | {
      readonly kind: 'offered';
      readonly type: string;
      readonly fingerprint: string;
      readonly name: string;
      readonly file: string;
    }
  | { readonly kind: 'known' }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

export interface TrustHostKey extends HostParams {
  /** The one that the user has seen. */
  readonly fingerprint: string;
}

export type TrustReply =
  | { readonly kind: 'trusted'; readonly file: string }
  | { readonly kind: 'refused'; readonly message: string };

export interface FindSession extends TaskKey {
  /** `read`: what the user types goes nowhere. */
  readonly mode: 'read' | 'write';
}

export type SessionReply =
  /** A program for a terminal, and its arguments, which no shell reads. */
  | {
      readonly kind: 'found';
      readonly name: string;
      readonly file: string;
      readonly args: readonly string[];
    }
  | { readonly kind: 'refused'; readonly message: string };
