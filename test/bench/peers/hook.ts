import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { median } from './figures.ts';
import { machineFacts, withEnd } from './machine.ts';
import { type Command, measureCommand, type Measured } from './measured-command.ts';
import { serveOurs } from './our-board.ts';
import { ourCommand, ourCommandMissing } from './our-command.ts';
import { atMost, type Goal, type Group, progress, type Table } from './report.ts';
import { inScratchFolder } from './scratch.ts';

const ROUNDS = 40;
const LIMIT = 'node -e 0';
/** No program that runs in Node.js and asks another process over a socket is faster. */
const SOCKET = 'node, one answer over a socket';
const PASSES = 'interlock hook, the file is free';
const PASSES_AT_MOST = 1.1;

/** How long an agent waits for its hook each time it writes a file. */
export const HOOK: Group = {
  name: 'hook',
  run: async () => {
    const machine = await machineFacts();
    const why = ourCommandMissing();
    if (why !== undefined)
      return { name: 'hook', machine, tables: [], goals: [], skipped: [`interlock: ${why}`] };
    const { table, goals } = await inScratchFolder(async (folder) => await measureHooks(folder));
    return { name: 'hook', machine: await withEnd(machine), tables: [table], goals, skipped: [] };
  },
};

interface Subject {
  readonly name: string;
  readonly command: Command;
}

async function measureHooks(
  folder: string,
): Promise<{ readonly table: Table; readonly goals: readonly Goal[] }> {
  const [busy, unused] = ['busy', 'unused'].map((name) => repositoryIn(path.join(folder, name)));
  await using _ = await serveOurs(busy!, { tasks: 100, held: 20, writes: true });
  await using socket = await answeringSocket(path.join(folder, 'socket'));
  const subjects: readonly Subject[] = [
    { name: LIMIT, command: { file: process.execPath, args: ['-e', '0'], folder } },
    { name: SOCKET, command: askingSocket(socket.file, folder) },
    { name: 'interlock hook, no board', command: hookIn(unused!, 'README.md') },
    { name: PASSES, command: hookIn(busy!, 'README.md') },
  ];
  const samples = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round % 10 === 0) progress(`hook: round ${round} of ${ROUNDS}`);
    for (const { name, command } of subjects) {
      const measured = await measureCommand(command);
      // The first round reads everything from the disk.
      if (round > 0) samples.get(name)?.push(measured);
    }
  }
  const wall = (name: string): number =>
    median((samples.get(name) ?? []).map((each) => each.wallMs));
  // The system counts processor time in steps of 10 ms.
  const cpu = (name: string): number => mean((samples.get(name) ?? []).map((each) => each.cpuMs));
  const rows = subjects.map(({ name }) => ({
    what: name,
    'median ms': wall(name),
    [`/ ${LIMIT}`]: wall(name) / wall(LIMIT),
    'mean CPU ms': cpu(name),
    [`CPU / ${LIMIT}`]: cpu(name) / cpu(LIMIT),
  }));
  return {
    table: { title: `from start to end, ${ROUNDS} rounds`, rows },
    goals: [atMost(`${PASSES} / ${LIMIT}`, wall(PASSES) / wall(LIMIT), PASSES_AT_MOST)],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function repositoryIn(folder: string): string {
  mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

function hookIn(folder: string, file: string): Command {
  const input = path.join(folder, 'hook.json');
  const call = {
    session_id: 's1',
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: 'x' },
  };
  writeFileSync(input, JSON.stringify(call));
  return { ...ourCommand(['hook'], folder), input };
}

function askingSocket(socket: string, folder: string): Command {
  const ask = `const socket = require('node:net').connect(${JSON.stringify(socket)});
socket.write('x');
socket.once('data', () => process.exit());`;
  return { file: process.execPath, args: ['-e', ask], folder };
}

async function answeringSocket(file: string): Promise<AsyncDisposable & { readonly file: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('x'));
  });
  await new Promise<void>((resolve) => {
    server.listen(file, resolve);
  });
  return {
    file,
    [Symbol.asyncDispose]: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
