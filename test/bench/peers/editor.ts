import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_FLAGS } from '../../../protocol/runtime.ts';
import { median, quantile } from './figures.ts';
import { type Keystroke, LanguageServer, type ServerProgram } from './language-server.ts';
import { machineFacts, withEnd } from './machine.ts';
import { ourEnvironment, serveOurs } from './our-board.ts';
import { programFile } from './program-file.ts';
import { atMost, type Goal, type Group, progress, type Report, type Table } from './report.ts';
import { inScratchFolder } from './scratch.ts';

const KEYSTROKES = 2000;
const WARM_UP = 200;
/** Whoever is slow is measured with fewer keys. */
const TYPING_LIMIT_MS = 20_000;
const STARTS = 10;
const TRIVIAL = 'trivial server';
const OURS = 'interlock';
const KEYSTROKE_AT_MOST = 3;
const START_AT_MOST = 2;
const MEMORY_AT_MOST_MB = 200;

interface Scene {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly languageId: string;
  readonly key: (number: number) => Keystroke;
}

interface Typed {
  readonly server: string;
  readonly times: readonly number[];
  readonly memoryMb: number | undefined;
}

/** What a key press costs in an editor, next to a server that says the same whatever is typed. */
export const EDITOR: Group = {
  name: 'editor',
  run: async () =>
    await inScratchFolder(async (folder): Promise<Report> => {
      const machine = await machineFacts();
      const parts = [
        await measureTyping(planScene(place(folder, 'plan'))),
        await measureClaimed(place(folder, 'claimed')),
        await measureOpening(place(folder, 'plans')),
      ];
      return {
        name: 'editor',
        machine: await withEnd(machine),
        tables: parts.map(({ table }) => table),
        goals: parts.flatMap(({ goals }) => goals),
        skipped: [],
      };
    }),
};

interface Part {
  readonly table: Table;
  readonly goals: readonly Goal[];
}

/** Each key changes what is wrong with the plan, so each has an answer. */
function planScene(folder: string): Scene {
  const file = path.join(folder, 'interlock.yaml');
  writeFileSync(file, planOf(1000, 't499x'));
  const line = 2 + 500 * 7 + 2;
  const at = '    depends_on: [t499x'.length;
  return {
    name: 'a key in a plan of 1 000 tasks',
    folder,
    file,
    languageId: 'interlock',
    key: (number) => ({
      line,
      character: at,
      removed: number % 2 === 0 ? 0 : 1,
      text: number % 2 === 0 ? 'y' : '',
    }),
  };
}

function planOf(tasks: number, unknown: string): string {
  const one = (number: number): string =>
    [
      `  t${number}:`,
      `    title: Task number ${number} of many`,
      `    depends_on: [${number === 500 ? unknown : number === 0 ? '' : `t${number - 1}`}]`,
      `    run: npm run build -- --package packages/p${number}`,
      `    reads: [packages/p${number}/package.json, shared/**/*.ts]`,
      `    writes: [packages/p${number}/dist/**, "!packages/p${number}/dist/keep/**"]`,
      `    timeout: { soft: 10m, hard: 12m }`,
    ].join('\n');
  return `version: 1\ntasks:\n${Array.from({ length: tasks }, (_, number) => one(number)).join('\n')}\n`;
}

/** A source file of a board where very many claims live. Each key changes one more line. */
async function measureClaimed(folder: string): Promise<Part> {
  progress('editor: 100 000 files and 10 000 claims');
  for (let part = 0; part < 1000; part += 1) {
    const sources = path.join(folder, 'src', `p${part}`);
    mkdirSync(sources, { recursive: true });
    for (let number = 0; number < 100; number += 1)
      writeFileSync(path.join(sources, `f${number}.ts`), '');
  }
  writeFileSync(path.join(folder, 'interlock.yaml'), 'tasks:\n  own: { run: "true" }\n');
  const file = path.join(folder, 'src', 'p7', 'f7.ts');
  writeFileSync(file, 'export const x = 1;\n'.repeat(WARM_UP + KEYSTROKES + 1));
  await using _ = await serveOurs(folder, { tasks: 10_000, held: 10_000, writes: true });
  return await measureTyping({
    name: 'a key in a source file, 10 000 live claims, 100 000 files',
    folder,
    file,
    languageId: 'typescript',
    key: (number) => ({ line: number, character: 0, removed: 0, text: '/' }),
  });
}

async function measureTyping(scene: Scene): Promise<Part> {
  const typed: Typed[] = [];
  for (const program of programsFor(scene.folder)) {
    progress(`editor: ${scene.name}, ${program.name}`);
    typed.push({ server: program.name, ...(await typeInto(scene, program)) });
  }
  const [trivial, ours] = typed;
  const p99 = (of: Typed | undefined): number => quantile(of?.times ?? [], 0.99);
  const rows = typed.map((one) => ({
    server: one.server,
    keys: one.times.length,
    'p50 ms': median(one.times),
    'p99 ms': p99(one),
    'p99 / trivial': p99(one) / p99(trivial),
    'memory MB': one.memoryMb,
  }));
  return {
    table: { title: scene.name, rows },
    goals: [
      atMost(`${scene.name}, p99 / ${TRIVIAL}`, p99(ours) / p99(trivial), KEYSTROKE_AT_MOST),
      atMost(`${scene.name}, memory in MB`, ours?.memoryMb ?? Number.NaN, MEMORY_AT_MOST_MB),
    ],
  };
}

async function typeInto(
  { folder, file, languageId, key }: Scene,
  program: ServerProgram,
): Promise<Omit<Typed, 'server'>> {
  await using server = new LanguageServer(program);
  await server.initialize(folder);
  await server.open(file, languageId);
  const times: number[] = [];
  const until = performance.now() + TYPING_LIMIT_MS;
  for (let number = 0; number < WARM_UP + KEYSTROKES; number += 1) {
    if (performance.now() > until && times.length > 0) break;
    const time = await server.type(file, key(number));
    if (number >= WARM_UP) times.push(time);
  }
  return { times, memoryMb: server.memoryMb };
}

/** From nothing to the first word on a plan, in a workspace of many. */
async function measureOpening(folder: string): Promise<Part> {
  for (let number = 0; number < 100; number += 1) {
    mkdirSync(path.join(folder, `part${number}`));
    const file = path.join(folder, `part${number}`, 'interlock.yaml');
    writeFileSync(file, planOf(20, '').replace('t3:', 't3:\n    depends_on: [nobody]'));
  }
  const file = path.join(folder, 'part50', 'interlock.yaml');
  const programs = programsFor(folder);
  const samples = new Map(programs.map((program) => [program, [] as number[]]));
  for (let round = 0; round <= STARTS; round += 1)
    for (const [program, times] of samples) {
      progress(`editor: a start of ${program.name}, round ${round} of ${STARTS}`);
      const before = performance.now();
      await using server = new LanguageServer(program);
      await server.initialize(folder);
      await server.open(file, 'interlock');
      // The first round reads everything from the disk.
      if (round > 0) times.push(performance.now() - before);
    }
  const [trivial, ours] = [...samples.values()].map(median);
  const rows = [...samples].map(([{ name }, times]) => ({
    server: name,
    'median ms': median(times),
    '/ trivial': median(times) / trivial!,
  }));
  return {
    table: { title: 'from the start to the first diagnostics, 100 plans', rows },
    goals: [atMost(`start, 100 plans / ${TRIVIAL}`, ours! / trivial!, START_AT_MOST)],
  };
}

/** Always in this order. */
function programsFor(folder: string): readonly ServerProgram[] {
  const env = ourEnvironment(folder);
  return [
    { name: TRIVIAL, args: [programFile('trivial-language-server.cjs')], env },
    { name: OURS, args: [...SERVER_FLAGS, path.resolve('dist/server.js')], env },
  ];
}

function place(folder: string, name: string): string {
  const own = path.join(folder, name);
  mkdirSync(own);
  return own;
}
