import { afterAll, expect, test } from 'vitest';
import { labKind, labNote } from '../support/lab/lab-kind.ts';
import { labOfFile } from '../support/lab/lab-of-file.ts';
import { episode, type FaultRow, SHORT } from './faults/episode.ts';
import { faultsOn } from './faults/faults.ts';
import { faultTable } from './faults/table.ts';

const lab = labOfFile(['one', 'two', 'three']);
const rows: FaultRow[] = [];

afterAll(() => console.log([faultTable(rows), labNote()].filter(Boolean).join('\n\n')));

test.each(faultsOn(labKind()))(
  'tasks are done once, and all that they print is kept, when $name',
  async (fault) => {
    const row = await episode(lab(), fault, SHORT);
    rows.push(row);
    expect(row).toMatchObject({ lost: 0, bytesLost: 0, duplicates: [], leftBehind: [] });
    expect(row.times).toBeGreaterThan(0);
  },
);
