import { setTimeout as delay } from 'node:timers/promises';
import type { LabHost } from '../../support/lab/lab-host.ts';
import type { LabKind } from '../../support/lab/lab-kind.ts';
import type { FaultTask } from './setup.ts';
import type { Stage } from './stage.ts';

/** Something that happens while tasks run. */
export interface Fault {
  readonly name: string;
  readonly tasks: Amount;
  /** It cannot be had over loopback. */
  readonly needsPackets?: true;
  /** How often, and in how many places at once, it has happened when this resolves. */
  readonly happen: (stage: Stage, outageMs: number) => Promise<number>;
}

interface Amount extends Pick<FaultTask, 'lines' | 'pauseMs' | 'isInSession'> {
  readonly count: number;
  readonly slots: number;
}

/** They print for so long that a short outage begins and ends meanwhile. */
const LONG: Amount = { count: 9, slots: 3, lines: 60, pauseMs: 40 };

const IN_SESSION: Amount = { ...LONG, isInSession: true };

/** Those that can happen in such a lab. */
export function faultsOn(kind: LabKind | undefined): readonly Fault[] {
  return FAULTS.filter(({ needsPackets }) => kind !== 'loopback' || needsPackets === undefined);
}

const FAULTS: readonly Fault[] = [
  { name: 'the link drops', tasks: LONG, happen: outage((host) => host.cable.cut()) },
  {
    name: 'what we say is lost',
    tasks: LONG,
    happen: outage((host) => host.cable.cut('there')),
  },
  {
    name: 'what the host says is lost',
    tasks: LONG,
    happen: outage((host) => host.cable.cut('back')),
  },
  {
    name: '30 % of the packets are lost',
    tasks: LONG,
    needsPackets: true,
    happen: outage((host) => host.cable.lose(30)),
  },
  {
    name: 'the connection is reset',
    tasks: LONG,
    happen: repeatedly(3, (host) => host.resetConnections()),
  },
  { name: 'the connection is forgotten in between', tasks: LONG, happen: forgotten },
  {
    name: 'the sessions of sshd are killed',
    tasks: LONG,
    happen: repeatedly(3, (host) => host.kill(({ words }) => words.startsWith('sshd: '))),
  },
  {
    name: 'the tmux server is killed',
    tasks: LONG,
    happen: repeatedly(3, (host) => host.kill(({ words }) => words.startsWith('tmux '))),
  },
  {
    name: 'the link drops, and tasks have terminals',
    tasks: IN_SESSION,
    happen: outage((host) => host.cable.cut()),
  },
  {
    name: 'the tmux server is killed, and tasks have terminals',
    tasks: IN_SESSION,
    happen: repeatedly(1, (host) => host.kill(({ words }) => words.startsWith('tmux '))),
  },
  { name: 'the host is cut off until it is given up', tasks: LONG, happen: givenUp },
  { name: 'the host loses its power', tasks: LONG, happen: powerCut },
  {
    name: 'the host is started anew',
    tasks: LONG,
    happen: repeatedly(1, async (host) => host.reboot()),
  },
  { name: 'the coordinator is frozen', tasks: LONG, happen: frozen },
  { name: 'the coordinator is killed', tasks: LONG, happen: killed },
  {
    name: 'the coordinator is killed while the link is down',
    tasks: LONG,
    happen: killedAlone,
  },
  {
    name: 'links flap under 200 tasks',
    tasks: { count: 201, slots: 8, lines: 10, pauseMs: 40 },
    happen: flapping,
  },
];

type Happen = Fault['happen'];

/** Some wait for others at first: it happens when all that can run at the same time does. */
async function begun(stage: Stage): Promise<readonly LabHost[]> {
  const { hosts } = stage.lab;
  const atOnce = Math.min(stage.setup.slots * hosts.length, stage.setup.tasks.length);
  await stage.until('started', atOnce);
  return hosts;
}

/** What lasts for a while is ended by mending the cable. */
function outage(begin: (host: LabHost) => void): Happen {
  return async (stage, outageMs) => {
    const hosts = await begun(stage);
    for (const host of hosts) begin(host);
    await delay(outageMs);
    for (const host of hosts) host.cable.mend();
    return hosts.length;
  };
}

/** Each time after some task more has begun or ended, so that all has been as it was in between. */
function repeatedly(times: number, happen: (host: LabHost) => unknown): Happen {
  return async (stage) => {
    const hosts = await begun(stage);
    for (let round = 1; round <= times; round += 1) {
      await Promise.all(hosts.map(async (host) => happen(host)));
      if (round < times) await stage.untilMore();
    }
    return hosts.length * times;
  };
}

/** Neither side is told, and another connection would be fine. */
async function forgotten(stage: Stage): Promise<number> {
  const hosts = await begun(stage);
  for (const host of hosts) host.cable.forget();
  await stage.untilDone();
  for (const host of hosts) host.cable.mend();
  return hosts.length;
}

async function givenUp(stage: Stage): Promise<number> {
  const hosts = await begun(stage);
  const running = stage.countOf('started') - stage.countOf('ended');
  for (const host of hosts) host.cable.cut();
  await stage.until('out-of-sight', running);
  for (const host of hosts) host.cable.mend();
  return hosts.length;
}

async function powerCut(stage: Stage, outageMs: number): Promise<number> {
  const hosts = await begun(stage);
  await Promise.all(hosts.map(async (host) => host.powerOff()));
  await delay(outageMs);
  await Promise.all(hosts.map(async (host) => host.boot()));
  return hosts.length;
}

async function frozen(stage: Stage, outageMs: number): Promise<number> {
  await begun(stage);
  stage.freeze();
  await delay(outageMs);
  stage.thaw();
  return 1;
}

async function killed(stage: Stage): Promise<number> {
  await begun(stage);
  for (let round = 0; round < 3; round += 1) {
    await stage.crash();
    await stage.begin();
    if (round < 2) await stage.untilMore();
  }
  return 3;
}

async function killedAlone(stage: Stage, outageMs: number): Promise<number> {
  const hosts = await begun(stage);
  for (const host of hosts) host.cable.cut();
  await stage.crash();
  await stage.begin();
  await delay(outageMs);
  for (const host of hosts) host.cable.mend();
  return 1;
}

/** One link after the other, for as long as there is something to do. */
async function flapping(stage: Stage, outageMs: number): Promise<number> {
  const { hosts } = stage.lab;
  await stage.until('started');
  for (let times = 0; ; times += 1) {
    const host = hosts[times % hosts.length];
    if (stage.isDone || host === undefined) return times;
    host.cable.cut();
    await delay(outageMs / FLAPS);
    host.cable.mend();
    await Promise.race([stage.untilMore(), stage.untilDone()]);
  }
}

/** A link that flaps is away for this part of an outage. */
const FLAPS = 4;
