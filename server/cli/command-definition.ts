import type { ExitCode } from './exit-code.ts';
import type { Perform } from './terminal.ts';

export interface CommandDefinition {
  readonly usage: string;
  readonly does: string;
  readonly options?: Readonly<Record<string, OptionDefinition>>;
  /** Lines as somebody would type them, without `interlock`. */
  readonly examples: readonly string[];
  /** What is particular to it; 0, 2 and 5 mean the same everywhere. */
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>;
  /** How many words it takes beside its options; absent: any number. */
  readonly wordLimit?: number;
  /** Without so many there is nothing to do. */
  readonly wordMinimum?: number;
  /** It is about the board of the task in which it runs, unless somebody says otherwise. */
  readonly isInsideTask?: boolean;
  /** It is about the folder in which it is typed, whatever is above it. */
  readonly isHere?: boolean;
  readonly perform: Perform;
}

export interface OptionDefinition {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** What stands behind it. */
  readonly value?: string;
  /** Its meaning and its default, in one line. */
  readonly does: string;
}

export function option(value: string, does: string): OptionDefinition {
  return { type: 'string', value, does };
}

export function flag(does: string, short?: string): OptionDefinition {
  return { type: 'boolean', does, ...(short !== undefined && { short }) };
}

/** Those of every command. */
export const SHARED_OPTIONS = {
  board: option('DIR', 'the folder it is about; default: this one, or the one above with a plan'),
  'connect-timeout': option('TIME', 'how long to wait for a silent coordinator; default: 30s'),
  json: flag('one JSON document on the output, whatever happens'),
  help: flag('this text', 'h'),
  version: flag('the version', 'v'),
};

/** Which of several tasks of one name. */
export const WHICH = {
  plan: option('FILE', 'the plan, where several have the task'),
  run: option('RUN', 'another run than the newest unfinished one that has the task'),
};

export const NEEDS = option('A,B', 'the capabilities that you have; default: none');
