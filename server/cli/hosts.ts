import { Board } from '../board/board.ts';
import type { BoardWorld } from '../board/ports.ts';
import type { KeyOffer, Machines } from '../board/session-ports.ts';
import type { HostCheck } from '../doctor/ports.ts';
import { displayLine, displayText } from '../domain/display-text.ts';
import { noSuchHost } from '../plans/host-problems.ts';
import { askedHosts } from '../scheduler/model/asked-hosts.ts';
import { type CommandDefinition, option } from './command-definition.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { inColumns } from './in-columns.ts';
import type { BoardUse } from './open-board.ts';
import { paint } from './paint.ts';
import { sayHostProblems } from './say-host-problems.ts';
import { errLine, outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

export const HOSTS_COMMAND: CommandDefinition = {
  usage: 'hosts | hosts check [NAME…] | hosts trust NAME [--fingerprint F]',
  does: 'Shows the hosts of your settings, looks what is wrong with them, and trusts the key of one.',
  options: { fingerprint: option('F', 'trust, without asking, exactly this key: SHA256:…') },
  examples: ['hosts', 'hosts check', 'hosts trust build-1'],
  exits: {
    [EXIT.failed]: 'something is wrong with a host, or with the settings',
    [EXIT.usage]: 'wrong usage, or no such host',
    [EXIT.refused]: 'the key is not trusted',
  },
  perform: hosts,
};

async function hosts(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const world = terminal.world('hosts');
  const machines = world.machines(args.folder);
  const [act, ...names] = args.words;
  if (act === undefined) return await list({ args, terminal, world }, machines);
  if (act !== 'check' && act !== 'trust')
    return sayRefused(args, terminal, usage(`"${act}" is not one of check, trust.`));
  const unknown = names.find((name) => !machines.hosts.some((host) => host.name === name));
  if (unknown !== undefined) {
    sayHostProblems(terminal, machines);
    return sayRefused(args, terminal, usage(noSuchHost(displayText(unknown), machines)));
  }
  if (act === 'check') return await check(args, terminal, { machines, names });
  const [name] = names;
  if (name === undefined || names.length > 1)
    return sayRefused(args, terminal, usage('Name one host: interlock hosts trust NAME'));
  return await trust(args, terminal, { machines, name });
}

async function list(
  { args, terminal, world }: Pick<BoardUse, 'args' | 'terminal' | 'world'>,
  machines: Machines,
): Promise<ExitCode> {
  const { hosts: all, gone, problems } = machines;
  const seen = await sightsOfBoard(args, world);
  if (args.isJson)
    sayJson(terminal, {
      hosts: all.map((host) => ({ ...host, state: seen.get(host.name) ?? null })),
      gone,
      problems,
    });
  else {
    const rows = all.map(({ name, ssh, folder, sync, slots, capabilities }) => [
      name,
      ssh,
      folder,
      sync,
      slots === undefined ? '' : String(slots),
      capabilities.join(', '),
      seen.get(name) ?? '',
    ]);
    if (rows.length > 0) for (const line of inColumns([HEADINGS, ...rows])) outLine(terminal, line);
    else if (problems.length + gone.length === 0) terminal.err(NONE);
    for (const name of gone) outLine(terminal, `${name} is gone for ever, as your settings say.`);
  }
  sayHostProblems(terminal, machines);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

/** Whoever decides has written down which of them it reaches; nobody else is connected to any. */
async function sightsOfBoard(
  { folder }: Arguments,
  world: BoardWorld,
): Promise<ReadonlyMap<string, 'reachable' | 'unreachable'>> {
  if (!world.stateFolder(folder).isThere) return new Map();
  const listener = { changed: () => {}, failed: () => {} };
  const board = new Board(folder, world, { isTrusted: false, carriesOn: 'none', listener });
  try {
    const { opened: open } = board;
    if (open?.decider() === undefined) return new Map();
    const { board: now } = open.keeper;
    const isReached = (host: string): boolean => now.workers.places.get(host)?.isReachable === true;
    return new Map(
      askedHosts(now).map((host) => [host, isReached(host) ? 'reachable' : 'unreachable']),
    );
  } finally {
    await board.close();
  }
}

const NONE =
  'There are no hosts in your settings. Name them in "interlock.hosts" of the editor, or in interlock/hosts.json of $XDG_CONFIG_HOME or ~/.config.\n';
const HEADINGS = ['NAME', 'SSH', 'FOLDER', 'SYNC', 'SLOTS', 'CAPABILITIES', 'STATE'];

async function check(
  args: Arguments,
  terminal: Terminal,
  { machines, names }: { readonly machines: Machines; readonly names: readonly string[] },
): Promise<ExitCode> {
  const wanted = names.length > 0 ? names : machines.hosts.map(({ name }) => name);
  if (wanted.length + machines.problems.length === 0 && !args.isJson) terminal.err(NONE);
  const reports = await Promise.all(
    wanted.map(async (host) => ({ host, checks: await machines.check(host) })),
  );
  if (args.isJson) sayJson(terminal, { hosts: reports });
  else
    for (const { host, checks } of reports) {
      outLine(terminal, host);
      for (const each of checks) terminal.out(lineOf(each, terminal));
    }
  sayHostProblems(terminal, machines);
  const isWrong = reports.some(({ checks }) => checks.some(({ state }) => state === 'wrong'));
  return isWrong || machines.problems.length > 0 ? EXIT.failed : EXIT.done;
}

const SIGNS = { fine: '✓', note: '!', wrong: '✗' } as const;
const COLOURS = { fine: 'green', note: 'yellow', wrong: 'red' } as const;
const INDENT = 14;

function lineOf({ name, state, found, advice }: HostCheck, { screen }: Terminal): string {
  const sign = paint(screen, COLOURS[state], SIGNS[state]);
  const more = advice === undefined ? '' : `${' '.repeat(INDENT)}${displayLine(advice)}\n`;
  return `  ${sign} ${name.padEnd(INDENT - 4)}${displayLine(found)}\n${more}`;
}

async function trust(
  args: Arguments,
  terminal: Terminal,
  { machines, name }: { readonly machines: Machines; readonly name: string },
): Promise<ExitCode> {
  const offer = await machines.offeredKey(name);
  if (offer.kind === 'refused')
    return sayRefused(args, terminal, { ...offer, why: 'host-key', code: EXIT.refused });
  if (offer.kind === 'known') {
    if (args.isJson) sayJson(terminal, { host: name, known: true });
    else outLine(terminal, `The key of "${name}" is known already.`);
    return EXIT.done;
  }
  const asked = args.options['fingerprint'];
  if (asked !== undefined && asked !== offer.fingerprint)
    return sayRefused(args, terminal, notTrusted(`"${name}" shows ${offer.fingerprint}.`));
  if (asked === undefined && !(await hasAgreed(args, terminal, { name, offer }))) {
    const why = canAnswer(args, terminal)
      ? 'It was not confirmed.'
      : `Nobody is here to confirm it; where it was compared before, "interlock hosts trust ${name} --fingerprint SHA256:…" trusts it.`;
    return sayRefused(args, terminal, notTrusted(why));
  }
  const trusted = await machines.trust(name, offer.fingerprint);
  if (trusted.kind === 'refused') return sayRefused(args, terminal, notTrusted(trusted.message));
  if (args.isJson) sayJson(terminal, { host: name, trusted: offer.fingerprint, ...trusted });
  else outLine(terminal, `Written down in ${trusted.file}.`);
  return EXIT.done;
}

function canAnswer({ isJson }: Arguments, { isAttended }: Terminal): boolean {
  return !isJson && isAttended;
}

/** Nobody is asked where nobody could answer. */
async function hasAgreed(
  args: Arguments,
  terminal: Terminal,
  {
    name,
    offer,
  }: { readonly name: string; readonly offer: Extract<KeyOffer, { kind: 'offered' }> },
): Promise<boolean> {
  errLine(terminal, `"${name}" (${offer.name}) shows a ${offer.type} key that is not known:`);
  errLine(terminal, `  ${offer.fingerprint}`);
  if (!canAnswer(args, terminal)) return false;
  terminal.err('Is that what whoever runs it says? Type yes to trust it: ');
  for await (const piece of terminal.input) return String(piece).trim().toLowerCase() === 'yes';
  return false;
}

function notTrusted(why: string): Refused {
  const message = `${why} Nothing was written down.`.replace(
    /( Nothing was written down\.)+$/,
    '$1',
  );
  return { kind: 'refused', why: 'host-key', message, code: EXIT.refused };
}

function usage(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
