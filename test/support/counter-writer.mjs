// A process that counts in a file which others change too:
//   node test/support/counter-writer.mjs ROOT FILE KEY TIMES [--in-place]
// It counts up the line `KEY: n`, and prints n each time that this is in the file. With --in-place it
// empties the file and fills it again, as programs do that know nothing of others.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DiskSharedFiles } from '../../server/system/shared-files.ts';

const [root = '', file = '', key = '', times = '1'] = process.argv.slice(2);
const isInPlace = process.argv.includes('--in-place');
const files = new DiskSharedFiles();

for (let count = 0; count < Number(times);) {
  const result = isInPlace ? inPlace() : beside();
  if (result === undefined) await pause(1);
  else {
    count += 1;
    process.stdout.write(`${result}\n`);
  }
}

function beside() {
  let counted = 0;
  const { kind } = files.change(root, file, (text) => {
    if (!text.endsWith('END\n')) return { kind: 'later' };
    const next = countedUp(text);
    counted = next.count;
    return { kind: 'write', text: next.text };
  });
  return kind === 'written' ? counted : undefined;
}

function inPlace() {
  const place = path.join(root, file);
  const { text, count } = countedUp(readFileSync(place, 'utf8'));
  writeFileSync(place, text);
  return count;
}

/** @param {string} before */
function countedUp(before) {
  let count = 0;
  const text = before.replace(new RegExp(`^${key}: (\\d+)$`, 'm'), (_, number) => {
    count = Number(number) + 1;
    return `${key}: ${count}`;
  });
  return { text, count };
}
