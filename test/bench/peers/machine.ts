import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from './figures.ts';
import type { Report } from './report.ts';
import { inScratchFolder } from './scratch.ts';

const SYNCS = 50;

/** What a reader must know of the machine before comparing two reports. */
export async function machineFacts(): Promise<Report['machine']> {
  return {
    cores: os.availableParallelism(),
    node: process.versions.node,
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
    'fsync ms': Number((await fsyncMs()).toFixed(3)),
  };
}

/** The same facts with how busy the machine was in the end: figures of a busy one say little. */
export async function withEnd(machine: Report['machine']): Promise<Report['machine']> {
  const { load, 'fsync ms': fsync } = await machineFacts();
  return { ...machine, 'load at end': load!, 'fsync ms at end': fsync! };
}

/** What the disk takes to keep 4 KiB: without it no figure of a durable engine means anything. */
async function fsyncMs(): Promise<number> {
  return await inScratchFolder((folder) => {
    const file = openSync(path.join(folder, 'probe'), 'w');
    const page = Buffer.alloc(4096, 1);
    const samples = Array.from({ length: SYNCS }, () => {
      writeSync(file, page);
      const start = performance.now();
      fsyncSync(file);
      return performance.now() - start;
    });
    closeSync(file);
    return Promise.resolve(median(samples));
  });
}
