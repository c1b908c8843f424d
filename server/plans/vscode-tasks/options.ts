import type { Node } from 'jsonc-parser';
import { said } from '../said.ts';
import { insideOf, type Member, membersOf, rangeOfNode } from './json-document.ts';
import type { Reading } from './reading.ts';
import type { QuotingRules, Word } from './shell-line.ts';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What `options` say, of a task or of all. */
export interface Options {
  readonly cwd?: Word;
  readonly env?: ReadonlyMap<string, Word>;
  readonly shell?: Shell;
}

interface Shell {
  readonly executable?: Word;
  readonly args?: readonly Word[];
  readonly quoting?: QuotingRules;
}

export function readOptions(node: Node | undefined, reading: Reading): Options {
  const members = objectOf(node, '"options"', reading);
  const cwd = members.get('cwd');
  return said({
    cwd: cwd && reading.word(cwd.value, '"cwd"'),
    env: readEnvironment(members.get('env'), reading),
    shell: readShell(members.get('shell'), reading),
  });
}

/** What is said for one system adds to what is said for all, and comes before it. */
export function withOverride(options: Options, override: Options): Options {
  const env = new Map([...(options.env ?? []), ...(override.env ?? [])]);
  return said({
    cwd: override.cwd ?? options.cwd,
    env: override.env === undefined ? options.env : env,
    shell: override.shell === undefined ? options.shell : { ...options.shell, ...override.shell },
  });
}

/** What a task does not say is as the file says it of all: a whole environment, not a part of it. */
export function withDefaults(options: Options, ofAll: Options): Options {
  return said({
    cwd: options.cwd ?? ofAll.cwd,
    env: options.env ?? ofAll.env,
    shell: options.shell === undefined ? ofAll.shell : { ...ofAll.shell, ...options.shell },
  });
}

function readEnvironment(
  member: Member | undefined,
  reading: Reading,
): ReadonlyMap<string, Word> | undefined {
  if (member === undefined) return undefined;
  const env = new Map<string, Word>();
  for (const [name, { key, value }] of objectOf(member.value, '"env"', reading)) {
    const refusal = refuseName(name);
    if (refusal !== undefined) reading.problems.error('wrong-type', insideOf(key), refusal);
    else if (value.type === 'number' || value.type === 'boolean') {
      const text = String(value.value);
      env.set(name, { text, source: text, quoting: undefined, range: rangeOfNode(value) });
    } else {
      const word = reading.word(value, `"${name}"`);
      if (word !== undefined) env.set(name, word);
    }
  }
  return env;
}

function refuseName(name: string): string | undefined {
  if (!ENV_NAME.test(name))
    return 'A variable name has letters, digits and "_", and no digit first.';
  if (name.startsWith('INTERLOCK_'))
    return 'Names that start with INTERLOCK_ are set by Interlock itself.';
  return undefined;
}

function readShell(member: Member | undefined, reading: Reading): Shell | undefined {
  if (member === undefined) return undefined;
  const members = objectOf(member.value, '"shell"', reading);
  const [executable, args] = [members.get('executable'), members.get('args')];
  return said({
    executable: executable && reading.word(executable.value, '"executable"'),
    args: args && reading.words(args.value, '"args"'),
    quoting: readQuoting(members.get('quoting')?.value),
  });
}

function readQuoting(node: Node | undefined): QuotingRules | undefined {
  if (node?.type !== 'object') return undefined;
  const members = membersOf(node);
  const escape = members.get('escape')?.value;
  const inObject = membersOf(escape);
  const char = textOf(inObject.get('escapeChar')?.value) ?? textOf(escape);
  return {
    strong: textOf(members.get('strong')?.value),
    weak: textOf(members.get('weak')?.value),
    escape:
      char === undefined
        ? undefined
        : { char, chars: textOf(inObject.get('charsToEscape')?.value) ?? ' ' },
  };
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? String(node.value) : undefined;
}

function objectOf(
  node: Node | undefined,
  what: string,
  { problems }: Reading,
): ReadonlyMap<string, Member> {
  if (node !== undefined && node.type !== 'object')
    problems.error('wrong-type', rangeOfNode(node), `${what} holds keys and values.`);
  return membersOf(node);
}
