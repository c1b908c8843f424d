import type { Machine } from './machine.ts';

/** Knows what commands have printed, and keeps it within its limits. */
export interface MachineLogs {
  /** From now on, or again after the machine was away. */
  begin(term: number, file: string, machine: Machine): Promise<void>;
  /** Resolves when all of it is here. */
  finish(term: number, file: string): Promise<void>;
  /** There is nothing to bring. */
  drop(term: number): void;
  bytesOf(term: number): number | undefined;
  close(): void;
}
