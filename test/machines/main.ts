import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Lab } from '../support/lab/lab.ts';
import { labKind, labNote } from '../support/lab/lab-kind.ts';
import { episode, type EpisodeOptions, type FaultRow, SHORT } from './faults/episode.ts';
import { faultsOn } from './faults/faults.ts';
import { faultTable, sumOf } from './faults/table.ts';

const PAGE = 'docs/FAULTS.md';
const REAL: EpisodeOptions = { outageMs: 10_000 };

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '1' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
    },
  });
  const kind = labKind();
  const note = labNote();
  if (kind === undefined || (kind === 'loopback' && values.write)) {
    console.error(kind === undefined ? note : `${PAGE} has what machines of their own have done.`);
    process.exitCode = 1;
    return;
  }
  await using lab = await Lab.open(['one', 'two', 'three']);
  const rows: FaultRow[] = [];
  for (const fault of faultsOn(kind).filter(({ name }) => name.includes(values.only))) {
    const rounds: FaultRow[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1)
      rounds.push(await episode(lab, fault, values.short ? SHORT : REAL));
    rows.push(sumOf(rounds));
    console.log(faultTable(rows.slice(-1)).split('\n').at(-1));
    const wrong = rounds.flatMap(({ duplicates, leftBehind }) => [...duplicates, ...leftBehind]);
    for (const line of wrong) console.log(`  ${line}`);
  }
  const table = faultTable(rows);
  console.log(table);
  if (note !== undefined) console.log(note);
  if (values.write) writeFileSync(PAGE, pageWith(table));
  const isFine = rows.every(
    ({ lost, bytesLost, duplicates, leftBehind }) =>
      lost + bytesLost + duplicates.length + leftBehind.length === 0,
  );
  process.exitCode = isFine ? 0 : 1;
}

/** The page as it is, with another table. */
function pageWith(table: string): string {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('| fault |'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.toSpliced(first, length, ...table.split('\n')).join('\n');
}

await main(process.argv.slice(2));
