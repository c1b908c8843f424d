import type { FaultRow } from './episode.ts';

/** As Markdown has tables. */
export function faultTable(rows: readonly FaultRow[]): string {
  const cells = rows.map(({ fault, times, tasks, lost, bytesLost, duplicates, leftBehind }) =>
    [fault, times, tasks, lost, bytesLost, duplicates.length, leftBehind.length].join(' | '),
  );
  const head = 'fault | injected | tasks | tasks lost | bytes lost | duplicates | left behind';
  const lines = [head, head.replaceAll(/[^|]+/g, ' --- ').trim(), ...cells];
  return lines.map((line) => `| ${line} |`).join('\n');
}
