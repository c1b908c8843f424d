import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Board } from '../../../server/board/board.ts';
import { parseWorkerId } from '../../../server/domain/ids.ts';
import { Random } from '../../sim/random.ts';
import { AgentAtWork } from '../agent-at-work.ts';
import { OperatorAtWork } from '../operator-at-work.ts';
import { type PartOptions, Stirring } from '../part-options.ts';
import { Journal, Probe } from '../probe.ts';
import { probedWorld } from '../probed-world.ts';

// One process of a board that is to be killed. Built from the parts that ship; what it is to do comes
// as one argument, what it has come to is a line on its output, and the lines on its input are orders.
const options: PartOptions = JSON.parse(process.argv[2] ?? '{}');
const { root, folder, name, killAt, seed, duties } = options;
const journal = new Journal(folder);
const probe = new Probe(journal, killAt);
const stirring = new Stirring();
/** What people are told when others are killed or stopped, or the disk fails; anything else is a fault. */
const USUAL = [
  'Interlock has stopped three times within a minute',
  'The coordinator did not answer',
  'Interlock could not ',
];

process.on('unhandledRejection', (error) => fault(error));
process.on('uncaughtException', (error) => fault(error));

const world = probedWorld(`${name} (process ${process.pid})`, process.env, { probe, journal });
const board = new Board(root, world, {
  isTrusted: true,
  carriesOn: 'all',
  listener: {
    changed: (entries) => {
      if (entries.length > 0) stirring.stir();
    },
    failed: (message) => {
      if (!USUAL.some((beginning) => message.startsWith(beginning))) fault(message);
    },
  },
});
board.load();
await board.takePart();
say('ready');

const desk = { board, world, journal, stirring, random: new Random(seed) };
const agents = duties.agents.map(async (id) => {
  const worker = parseWorkerId(id);
  if (worker !== undefined) await new AgentAtWork(desk, worker, duties.habits).work();
});
const operator = new OperatorAtWork(desk, duties.operator, () => say('over'));
const operating = duties.operator === undefined ? undefined : operator.work();

for await (const line of createInterface(process.stdin)) {
  if (line === 'heal') operator.heal();
  if (line === 'memory') sayMemory();
  if (line === 'end') break;
}
stirring.end();
await Promise.all([...agents, operating]);
await board.close();
if (options.countsFile !== undefined)
  writeFileSync(options.countsFile, JSON.stringify([...probe.passages]));
process.exit(0);

function say(word: string): void {
  process.stdout.write(`${word}\n`);
}

/** Exact only where garbage can be collected now. */
function sayMemory(): void {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  say(`memory ${rss} ${heapUsed}`);
}

/** What nothing that is killed may lead to. */
function fault(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  journal.write('fault', process.pid, text.replaceAll('\n', ' | '));
}
