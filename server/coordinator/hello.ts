import type { ProcessIdentity } from '../domain/task.ts';
import { ERROR_CODES, type ErrorBody, isRecord } from './messages.ts';

export const HELLO = 'hello';
/** The last thing a coordinator says to a peer that it closes. */
export const BYE = 'bye';

/** A window may do everything, a worker what its claims allow, an observer may look. */
export type PeerRole = 'window' | 'worker' | 'observer';

/** Processes that come and go in numbers of their own; connections are shared out among these. */
export type PeerGroup = PeerRole | 'command' | 'agent';

/** The versions of the protocol that a build speaks. */
export interface ProtocolRange {
  readonly min: number;
  readonly max: number;
}

export const PROTOCOL: ProtocolRange = { min: 1, max: 1 };

/** The first request of every connection. */
interface Hello {
  readonly token: string;
  readonly role: PeerRole;
  /** Absent, or unknown here: as the role. It grants nothing. */
  readonly group?: unknown;
  /** Of a server of tools: the process of its agent. Absent, or unknown here: nothing is known of it. */
  readonly agent?: unknown;
  /** For people. */
  readonly name: string;
  /** The version of Interlock that the peer is. */
  readonly build: string;
  readonly protocol: ProtocolRange;
}

/** The answer to it. */
export interface Welcome {
  readonly build: string;
  readonly protocol: number;
  readonly peer: number;
}

export type HelloOutcome =
  | { readonly kind: 'welcome'; readonly hello: Hello; readonly protocol: number }
  | { readonly kind: 'refused'; readonly error: ErrorBody };

const TEXT_LIMIT = 200;
const WRONG_TOKEN =
  'This is not the token of the board: its file "token" was changed ("interlock where" says where it is). ' +
  'Put it back, or end the process that decides ("interlock status" names it): the next one writes it anew.';

/** `isToken` sees whatever was sent as the token; until it is proved, nothing else is looked at. */
export function judgeHello(
  params: unknown,
  {
    isToken,
    build,
    protocol,
  }: {
    readonly isToken: (token: unknown) => boolean;
    readonly build: string;
    readonly protocol: ProtocolRange;
  },
): HelloOutcome {
  const isProved = isToken(isRecord(params) ? params['token'] : undefined);
  if (!isProved) return refused('unauthorised', WRONG_TOKEN);
  if (!isHello(params)) return refused('invalidParams', 'This hello is malformed.');
  const agreed = agree(protocol, params.protocol);
  if (agreed !== undefined) return { kind: 'welcome', hello: params, protocol: agreed };
  return refused(
    'incompatible',
    incompatibleMessage({ hello: params, coordinatorBuild: build, coordinator: protocol }),
  );
}

export function groupOf({ role, group }: Pick<Hello, 'role' | 'group'>): PeerGroup {
  return group === 'command' || group === 'agent' ? group : role;
}

export function isWelcome(value: unknown): value is Welcome {
  return (
    isRecord(value) &&
    isText(value['build']) &&
    Number.isSafeInteger(value['protocol']) &&
    Number.isSafeInteger(value['peer'])
  );
}

/** It grants nothing: whoever says of an agent that it has ended says it of its own claims. */
export function agentOf({ agent }: Pick<Hello, 'agent'>): ProcessIdentity | undefined {
  if (!isRecord(agent)) return undefined;
  const { bootId, pid, startTime } = agent;
  return isText(bootId) && isText(startTime) && isPid(pid) ? { bootId, pid, startTime } : undefined;
}

/** The highest version that both speak. */
function agree(ours: ProtocolRange, theirs: ProtocolRange): number | undefined {
  const highest = Math.min(ours.max, theirs.max);
  return highest >= Math.max(ours.min, theirs.min) ? highest : undefined;
}

function incompatibleMessage({
  hello: { name, build, protocol },
  coordinatorBuild,
  coordinator,
}: {
  readonly hello: Hello;
  readonly coordinatorBuild: string;
  readonly coordinator: ProtocolRange;
}): string {
  const advice =
    protocol.max < coordinator.min
      ? `Update Interlock where "${name}" runs`
      : `Update Interlock where the coordinator of the board runs, or close it`;
  return (
    `"${name}" is Interlock ${build} and the coordinator of the board is ${coordinatorBuild}; ` +
    `they have no version of the protocol in common. ${advice}.`
  );
}

function isHello(params: unknown): params is Hello {
  return (
    isRecord(params) &&
    isText(params['token']) &&
    (params['role'] === 'window' || params['role'] === 'worker' || params['role'] === 'observer') &&
    isText(params['name']) &&
    isText(params['build']) &&
    isRange(params['protocol'])
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_LIMIT;
}

function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 1;
}

function isRange(value: unknown): value is ProtocolRange {
  if (!isRecord(value)) return false;
  const { min, max } = value;
  return isVersion(min) && isVersion(max) && min <= max;
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function refused(code: keyof typeof ERROR_CODES, message: string): HelloOutcome {
  return { kind: 'refused', error: { code: ERROR_CODES[code], message } };
}
