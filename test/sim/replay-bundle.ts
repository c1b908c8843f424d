import type { PathRules } from '../../server/domain/paths/overlap.ts';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { LedgerEntry } from '../../server/engine/store-port.ts';
import { parseFacts } from '../../server/scheduler/model/board-facts.ts';
import { type Replay, replayLedger } from '../../server/scheduler/replay.ts';

const FORMAT = 'interlock-bundle';

/** What `interlock export` writes, as far as it is needed here. */
interface Bundle {
  readonly rules: PathRules;
  readonly base: unknown;
  readonly entries: readonly LedgerEntry[];
}

/** Decides again what a board has decided. Answers with a sentence, and whether it was the same. */
export function replayBundle(file: string): { readonly isSame: boolean; readonly says: string } {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const bundle: unknown = JSON.parse(text);
  if (!isBundle(bundle)) return { isSame: false, says: `${file} is no bundle of Interlock.` };
  const { rules, entries } = bundle;
  const base = bundle.base === null ? undefined : parseFacts(bundle.base);
  if (bundle.base !== null && base === undefined)
    return { isSame: false, says: `${file} was written by another version.` };
  return told(replayLedger(entries, { base, rules }));
}

function told(replay: Replay): { readonly isSame: boolean; readonly says: string } {
  if (replay.kind === 'same') {
    const { turns, decisions } = replay;
    return { isSame: true, says: `The same is decided: ${decisions} decisions, ${turns} turns.` };
  }
  const { sequence, turn, recorded, decided } = replay;
  const lines = [
    `Something else is decided in turn ${turn}, at ledger entry ${sequence}.`,
    `it says:     ${recorded.join(' ')}`,
    `and now it is: ${decided.join(' ')}`,
  ];
  return { isSame: false, says: lines.join('\n') };
}

/** It was written by a program, so what it has inside is believed. */
function isBundle(value: unknown): value is Bundle {
  if (typeof value !== 'object' || value === null) return false;
  if (!('format' in value) || value.format !== FORMAT) return false;
  if (!('formatVersion' in value) || value.formatVersion !== 1) return false;
  if (!('rules' in value) || typeof value.rules !== 'object') return false;
  return 'base' in value && 'entries' in value && Array.isArray(value.entries);
}
