import { formatDuration } from '../domain/time.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type {
  ClockFacts,
  DeciderFacts,
  RuntimeFacts,
  SqliteFacts,
  StateFacts,
  StoreFacts,
  WatchFacts,
} from './ports.ts';

const MIB = 1024 * 1024;
/** A run of many tasks with long outputs needs about so much. */
const ROOM_BYTES = 500 * MIB;
const LARGE_BYTES = 500 * MIB;
/** Clocks of disks and machines are this far apart without anybody noticing. */
const APART_MS = 60_000;
/** What a large repository and an editor beside it need. */
const LEAST_WATCHES = 65_536;

export function judgeRuntime({ build, node, platform, refusal }: RuntimeFacts): Finding {
  const found = `Interlock ${build}, Node.js ${node}, ${platform}`;
  return refusal === undefined ? fine(found) : wrong(found, refusal);
}

export function judgeSqlite(facts: SqliteFacts): Finding {
  if (facts.kind === 'loaded') return fine(`SQLite ${facts.version}`);
  const advice =
    'Install Interlock again with all that belongs to it. It needs Linux with glibc 2.34 or newer, ' +
    'Alpine, macOS or Windows, on x64 or arm64. Until then plans are checked and nothing runs.';
  return wrong(`does not load: ${facts.message}`, advice);
}

export function judgeState(facts: StateFacts): Finding {
  const { path, isWritable, isOpenToOthers, freeBytes, network } = facts;
  if (network !== undefined)
    return wrong(
      `${path} is on a network file system (${network})`,
      'Set INTERLOCK_STATE_DIR to a folder on a disk of this machine.',
    );
  if (!isWritable)
    return wrong(
      `${path} cannot be written`,
      'Make that folder, or the one above it, writable; or set INTERLOCK_STATE_DIR to one that is.',
    );
  if (isOpenToOthers === true)
    return wrong(`others can look into ${path}`, `Close it: chmod 700 "${path}"`);
  const room = freeBytes === undefined ? '' : `, ${sizeText(freeBytes)} free`;
  if (freeBytes !== undefined && freeBytes < ROOM_BYTES)
    return note(`${path}${room}`, 'Free some disk space: outputs of tasks are kept there.');
  const isThere = isOpenToOthers !== undefined;
  return fine(`${path}${isThere ? '' : ' (made when something runs)'}${room}`);
}

export function judgeStore(facts: StoreFacts): Finding {
  switch (facts.kind) {
    case 'absent':
      return fine('nothing has run in this folder yet');
    case 'sound': {
      const how = facts.isLookedThrough
        ? 'looked through, whole'
        : 'opens; too large to look through';
      const found = `${facts.file}, ${sizeText(facts.bytes)}, ${how}`;
      if (facts.bytes < LARGE_BYTES) return fine(found);
      return note(found, 'Old runs are dropped when whoever decides begins: restart the server.');
    }
    case 'damaged':
      return wrong(
        `${facts.file} is damaged`,
        'Restart the server, or run any command: the file is moved aside, and a new one begins.',
      );
    case 'unusable':
      return wrong('cannot be opened', facts.message);
    default:
      return facts satisfies never;
  }
}

export function judgeDecider({ holder, answer }: DeciderFacts, build: string): Finding {
  const who = holder ?? 'somebody';
  switch (answer.kind) {
    case 'connected': {
      const found = `${who} decides and answers (${answer.build}, protocol ${answer.protocol})`;
      if (answer.build === build) return fine(found);
      return note(found, `Another version is at work: this is ${build}. Restart the older one.`);
    }
    case 'absent':
      if (holder === undefined) return fine('nobody decides now; whoever runs something will');
      return wrong(
        `${holder} decides, and cannot be reached`,
        'Look again in a few seconds. If it stays like this, end that process: what runs goes on.',
      );
    case 'refused':
      return wrong(`${who} decides, and does not let us in`, answer.message);
    default:
      return answer satisfies never;
  }
}

export function judgeClock({ nowMs, writtenMs }: ClockFacts): Finding {
  const found = new Intl.DateTimeFormat('sv-SE', FORMAT).format(nowMs);
  const aheadMs = writtenMs === undefined ? 0 : writtenMs - nowMs;
  if (aheadMs <= APART_MS) return fine(found);
  return note(
    `${found}, and the board was written ${formatDuration(Math.round(aheadMs))} later than that`,
    'The clock of this machine was set back, or that of the disk is ahead. Set it right.',
  );
}

export function judgeWatches(facts: WatchFacts | undefined): Finding {
  if (facts === undefined) return fine('this system has no limit of its own');
  const found = `${facts.watches} watches, ${facts.instances} watchers`;
  if (facts.watches >= LEAST_WATCHES) return fine(found);
  return note(
    found,
    'What tasks write in a large repository may be seen late. Raise the limit: ' +
      'sudo sysctl fs.inotify.max_user_watches=524288',
  );
}

const FORMAT = { dateStyle: 'short', timeStyle: 'long' } as const;

function sizeText(bytes: number): string {
  if (bytes >= 1024 * MIB) return `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
  if (bytes >= MIB) return `${Math.round(bytes / MIB)} MiB`;
  return `${Math.ceil(bytes / 1024)} KiB`;
}
