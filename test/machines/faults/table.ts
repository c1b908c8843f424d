import type { FaultRow } from './episode.ts';

/** Of one fault, tried several times. */
export function sumOf(rows: readonly FaultRow[]): FaultRow {
  const sum = (of: (row: FaultRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return {
    fault: rows[0]?.fault ?? '',
    times: sum(({ times }) => times),
    tasks: sum(({ tasks }) => tasks),
    lost: sum(({ lost }) => lost),
    bytesLost: sum(({ bytesLost }) => bytesLost),
    duplicates: rows.flatMap(({ duplicates }) => duplicates),
    leftBehind: rows.flatMap(({ leftBehind }) => leftBehind),
  };
}

/** As Markdown has tables. */
export function faultTable(rows: readonly FaultRow[]): string {
  const cells = rows.map(({ fault, times, tasks, lost, bytesLost, duplicates, leftBehind }) =>
    [fault, times, tasks, lost, bytesLost, duplicates.length, leftBehind.length].join(' | '),
  );
  const head = 'fault | injected | tasks | tasks lost | bytes lost | duplicates | left behind';
  const lines = [head, head.replaceAll(/[^|]+/g, ' --- ').trim(), ...cells];
  return lines.map((line) => `| ${line} |`).join('\n');
}
