/** A machine that the user lets tasks run on. It comes from the settings of the user, never from a plan. */
export interface HostDefinition {
  /** What plans call it in `on`. */
  readonly name: string;
  /** What the user would write after `ssh`. */
  readonly ssh: string;
  /** Where its working copies lie; a `~/` at its beginning is the home folder there. */
  readonly folder: string;
  /** How the files of a task get there. */
  readonly sync: HostSync;
  /** How many tasks may run there at once; absent: as many as it has processors. */
  readonly slots?: number;
  /** What tasks with `needs` may count on there. */
  readonly capabilities: readonly string[];
  /** It never comes back: nothing is at work there any more, and nothing will be. */
  readonly isGone?: true;
}

type HostSync = 'none' | 'git' | 'rsync';

interface HostProblem {
  /** The name of the host in the settings; absent where the whole of them is wrong. */
  readonly host?: string;
  /** A sentence for the user. */
  readonly message: string;
}

export interface Hosts {
  readonly hosts: readonly HostDefinition[];
  readonly problems: readonly HostProblem[];
}

const FOLDER = '~/engineering/code/clone-base';
const MOST_SLOTS = 1024;
const SYNCS: readonly HostSync[] = ['none', 'git', 'rsync'];
const KEYS = ['ssh', 'folder', 'sync', 'slots', 'capabilities', 'gone'];
const NAME = /^[A-Za-z0-9][\w.@:-]{0,252}$/;
/** Neither an option nor anything that a shell would act on; ssh itself refuses the rest. */
const DESTINATION = /^(?:ssh:\/\/)?[A-Za-z0-9_][\w.:%@[\]-]{0,252}$/;
const CAPABILITY = /^[A-Za-z0-9][\w.@:/+-]{0,63}$/;

/** Reads `{ "build-1": { "ssh": "build-1.example", … } }`. What is wrong is left out, and said. */
export function readHosts(value: unknown): Hosts {
  if (value === undefined || value === null) return { hosts: [], problems: [] };
  if (!isRecord(value))
    return {
      hosts: [],
      problems: [{ message: 'Hosts are names, each with an object of settings.' }],
    };
  const hosts: HostDefinition[] = [];
  const problems: HostProblem[] = [];
  for (const [name, settings] of Object.entries(value)) {
    const read = readHost(name, settings);
    if (typeof read === 'string') problems.push({ host: name, message: read });
    else hosts.push(read);
  }
  return { hosts, problems };
}

/** Answers with what is wrong, as a sentence. */
function readHost(name: string, settings: unknown): HostDefinition | string {
  if (!NAME.test(name) || name === 'local')
    return 'A host is named with letters, digits, "." "_" "-" "@" ":", and not "local".';
  if (!isRecord(settings)) return 'A host is an object of settings; {} will do.';
  const unknown = Object.keys(settings).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    return `A host has no setting "${unknown}": it has ${KEYS.join(', ')}.`;
  const {
    ssh = name,
    folder = FOLDER,
    sync = 'git',
    slots,
    capabilities = [],
    gone = false,
  } = settings;
  if (typeof ssh !== 'string' || !DESTINATION.test(ssh))
    return '"ssh" is what you would write after ssh: a host, user@host, or an alias of your ssh configuration.';
  if (typeof folder !== 'string' || !isFolder(folder))
    return '"folder" is a folder on the host: it begins with "/" or "~/", and has no "..".';
  if (!isSync(sync)) return `"sync" is one of ${SYNCS.join(', ')}.`;
  if (slots !== undefined && !isSlots(slots))
    return `"slots" is a number of tasks from 1 to ${MOST_SLOTS}.`;
  if (!Array.isArray(capabilities) || !capabilities.every(isCapability))
    return '"capabilities" is a list of words such as "gpu" or "os:linux".';
  if (typeof gone !== 'boolean') return '"gone" is true or false.';
  const host = { name, ssh, folder, sync, capabilities };
  return { ...host, ...(slots !== undefined && { slots }), ...(gone && { isGone: true }) };
}

function isFolder(folder: string): boolean {
  const isWhole = folder.startsWith('/') || folder.startsWith('~/');
  return isWhole && !folder.split('/').includes('..') && !/[\0\n]/.test(folder);
}

function isSync(value: unknown): value is HostSync {
  return SYNCS.some((sync) => sync === value);
}

function isSlots(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_SLOTS;
}

function isCapability(value: unknown): value is string {
  return typeof value === 'string' && CAPABILITY.test(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
