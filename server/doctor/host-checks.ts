import type { HostDefinition } from '../domain/host.ts';
import { formatDuration } from '../domain/time.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { HostCheck } from './ports.ts';

/** What somebody has found who went to a host. Each is there only where those before it went well. */
export interface HostLook {
  readonly host: HostDefinition;
  /** What ssh makes of it, as a clause; or why it cannot. */
  readonly way: HostAnswer<string>;
  /** Absent: nobody could ask it. */
  readonly login?: HostAnswer<HostLogin>;
  readonly answers?: HostAnswers;
}

type HostAnswer<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  /** The message is a sentence for the user. */
  | { readonly kind: 'failed'; readonly message: string; readonly isKeyOffered?: boolean };

export interface HostLogin {
  readonly tookMs: number;
  /** What its files print for everybody who logs in. */
  readonly noise: string;
}

/** What a host says of itself; empty, or not a number, where it does not. */
export interface HostAnswers {
  readonly user: string;
  readonly shell: string;
  readonly system: string;
  readonly home: string;
  /** Where it keeps what tasks need; empty: it cannot. */
  readonly state: string;
  readonly tmux: string;
  readonly git: string;
  readonly rsync: string;
  readonly hasSetsid: boolean;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly load: number;
  /** Where working copies lie; empty: not there. */
  readonly folder: string;
  readonly freeBytes: number;
  /** By how much its clock is ahead of ours. */
  readonly aheadMs: number;
}

/** What it means, in an order in which one needs the other. */
export function judgeHost({ host, way, login, answers }: HostLook): readonly HostCheck[] {
  const checks: HostCheck[] = [{ name: 'ssh', ...judgeWay(host, way) }];
  const isAboutKey = login?.kind === 'failed' && login.isKeyOffered !== undefined;
  if (login?.kind === 'known' || isAboutKey)
    checks.push({ name: 'host key', ...judgeKey(host, login) });
  if (login !== undefined && !isAboutKey)
    checks.push({ name: 'login', ...judgeLogin(host, login, answers) });
  if (login?.kind === 'known') checks.push({ name: 'noise', ...judgeNoise(login.value) });
  if (answers === undefined) return checks;
  const judged: Readonly<Record<string, Finding>> = {
    home: judgeHome(answers),
    tmux: judgeTmux(answers),
    git: judgeGit(host, answers),
    rsync: judgeRsync(host, answers),
    folder: judgeFolder(host, answers),
    machine: judgeMachine(answers),
    load: judgeLoad(answers),
    clock: judgeClock(answers),
    disk: judgeDisk(answers),
  };
  return [...checks, ...Object.entries(judged).map(([name, finding]) => ({ name, ...finding }))];
}

function judgeWay({ ssh }: HostDefinition, way: HostLook['way']): Finding {
  if (way.kind === 'known') return fine(way.value);
  return wrongBy(way.message, `Make "ssh ${ssh}" work in a terminal.`);
}

/** What is to be done a message says in its later sentences, if it does. */
function wrongBy(message: string, advice: string): Finding {
  const { found, rest } = parted(message);
  return wrong(found, rest === '' ? advice : rest);
}

function parted(message: string): { readonly found: string; readonly rest: string } {
  const [, found = message, rest = ''] = /^(.*?\.) (?=[A-Z])(.*)$/s.exec(message) ?? [];
  return { found, rest };
}

function judgeKey({ name }: HostDefinition, login: HostAnswer<HostLogin>): Finding {
  if (login.kind === 'known') return fine('known');
  if (login.isKeyOffered !== true)
    return wrongBy(
      login.message,
      'Ask whoever runs the host why. Nothing is sent to it until then.',
    );
  // There is more to it here than what a terminal is for.
  const advice = `Compare the fingerprint with what whoever runs the host says; then "interlock hosts trust ${name}", or "Trust Host Key…" in the editor.`;
  return wrong(parted(login.message).found, advice);
}

function judgeLogin(
  { ssh }: HostDefinition,
  login: HostAnswer<HostLogin>,
  answers: HostAnswers | undefined,
): Finding {
  if (login.kind === 'failed')
    return wrongBy(login.message, `Make "ssh ${ssh}" work in a terminal.`);
  const took = formatDuration(Math.round(login.value.tookMs));
  if (answers === undefined)
    return wrong(
      `a shell answers after ${took}, and does not say what it is asked`,
      `Look what "ssh ${ssh} sh" does: it is to start a shell and nothing else.`,
    );
  const who = [answers.user, answers.shell, answers.system].filter((word) => word !== '');
  if (login.value.tookMs < SLOW_MS) return fine(`${who.join(', ')}, after ${took}`);
  const advice = 'Often it looks up the name of this machine: "UseDNS no" in its sshd_config.';
  return note(`${who.join(', ')}, only after ${took}`, advice);
}

function judgeNoise({ noise }: HostLogin): Finding {
  if (noise.trim() === '') return fine('nothing is printed at login');
  return note(
    `its files print at login: ${noise}`,
    'Interlock reads over it; rsync and scp do not. Let those files print only where "[ -t 1 ]".',
  );
}

function judgeHome({ state, home }: HostAnswers): Finding {
  if (state !== '') return fine(state);
  return wrong(
    `nothing can be kept below ${home}`,
    'Make it writable, and see that its disk is not full.',
  );
}

function judgeTmux({ tmux, hasSetsid }: HostAnswers): Finding {
  if (tmux !== '') return fine(tmux);
  const how = hasSetsid ? 'run without sessions' : 'run without sessions, by nohup';
  return note(`there is none: tasks ${how}`, 'Install tmux, to look into tasks while they run.');
}

function judgeGit({ sync }: HostDefinition, { git }: HostAnswers): Finding {
  if (git !== '') return fine(git);
  if (sync !== 'git') return fine('none, and none is needed');
  return wrong('there is none, and files get there by git', 'Install git there, or set "sync".');
}

function judgeRsync({ sync }: HostDefinition, { rsync }: HostAnswers): Finding {
  if (rsync !== '') return fine(rsync);
  if (sync !== 'rsync') return fine('none, and none is needed');
  return wrong(
    'there is none, and files get there by rsync',
    'Install rsync there, or set "sync".',
  );
}

function judgeFolder({ folder: wanted, sync }: HostDefinition, { folder }: HostAnswers): Finding {
  if (folder !== '') return fine(folder);
  if (sync !== 'none') return fine(`${wanted} is made when it is needed`);
  return wrong(`there is no ${wanted}`, 'Put a working copy there, or set "folder" or "sync".');
}

function judgeMachine({ cpus, memoryBytes }: HostAnswers): Finding {
  const memory = memoryBytes > 0 ? `${(memoryBytes / GIB).toFixed(1)} GiB of memory` : '';
  const found = [cpus > 0 ? `${cpus} processors` : '', memory].filter((word) => word !== '');
  if (found.length > 0) return fine(found.join(', '));
  return note('it does not say what it has', 'Set "slots" to how many tasks it is to run at once.');
}

function judgeLoad({ load, cpus }: HostAnswers): Finding {
  const found = `${load} on ${cpus} processors`;
  if (load <= cpus * BUSY) return fine(found);
  return note(found, 'Others are at work there: tasks will take longer.');
}

function judgeClock({ aheadMs }: HostAnswers): Finding {
  if (!Number.isFinite(aheadMs)) return note('it does not tell the time', 'Look at its clock.');
  const off = Math.abs(aheadMs);
  if (off < CLOCK_MS) return fine('agrees with this machine');
  return note(
    `${formatDuration(off)} ${aheadMs > 0 ? 'ahead' : 'behind'}`,
    'Let both set their clocks by the network: make and rsync compare times of files.',
  );
}

function judgeDisk({ freeBytes }: HostAnswers): Finding {
  if (!Number.isFinite(freeBytes))
    return note('it does not say what is free', 'Look at "df" there.');
  const found = `${(freeBytes / GIB).toFixed(1)} GiB are free`;
  if (freeBytes < FULL_BYTES) return wrong(found, 'Make room: tasks and their logs need some.');
  return freeBytes < SHORT_BYTES ? note(found, 'Make room before it is full.') : fine(found);
}

const GIB = 2 ** 30;
const [FULL_BYTES, SHORT_BYTES] = [GIB / 10, 2 * GIB];
const SLOW_MS = 5000;
const CLOCK_MS = 5000;
const BUSY = 2;
