import type { TextRange } from '../plan.ts';
import type { Filling, Fillings } from './fillings.ts';
import type { EditorPlatform } from './surroundings.ts';

export type Quoting = 'escape' | 'strong' | 'weak';

/** A command or an argument; with no `quoting` it is quoted where a space would split it. */
export interface Word {
  readonly text: string;
  /** As the file has it, variables and all. */
  readonly source: string;
  readonly quoting: Quoting | undefined;
  readonly range: TextRange;
}

/** How a shell quotes. */
export interface QuotingRules {
  readonly strong: string | undefined;
  readonly weak: string | undefined;
  readonly escape: { readonly char: string; readonly chars: string } | undefined;
}

const POSIX: QuotingRules = { strong: "'", weak: '"', escape: { char: '\\', chars: ` "'` } };
const POWERSHELL: QuotingRules = { strong: "'", weak: '"', escape: { char: '`', chars: ` "'()` } };
const CMD: QuotingRules = { strong: '"', weak: undefined, escape: undefined };

/** Of the shell that a task names, or else of the one that runs it here. */
export function quotingOf(executable: string | undefined, platform: EditorPlatform): QuotingRules {
  if (platform !== 'windows') return POSIX;
  const name = (executable ?? 'cmd')
    .split(/[/\\]/)
    .at(-1)
    ?.toLowerCase()
    .replace(/\.exe$/, '');
  if (name === 'cmd') return CMD;
  return name === 'powershell' || name === 'pwsh' ? POWERSHELL : POSIX;
}

/** The line that an editor would give to a shell. */
export function shellLine(
  { command, args }: { readonly command: Word; readonly args: readonly Word[] },
  rules: QuotingRules,
  fillings: Fillings,
): string {
  const quoted = (word: Word): string => quoteWord(word, rules, fillings);
  // A command without arguments is a line of its own, unless only a variable brings a space into it.
  if (args.length === 0 && command.quoting === undefined) {
    const isLine = !fillings.isIn(command.text) || isSplit(command.source, rules);
    return isLine ? command.text : quoted(command);
  }
  return [command, ...args].map(quoted).join(' ');
}

function quoteWord(word: Word, rules: QuotingRules, fillings: Fillings): string {
  const { text } = word;
  const quoting = word.quoting ?? (isSplit(fillings.plain(text), rules) ? 'strong' : undefined);
  switch (quoting) {
    case 'strong':
      return rules.strong === undefined ? text : rules.strong + text + rules.strong;
    case 'weak':
      return rules.weak === undefined ? text : rules.weak + text + rules.weak;
    case 'escape': {
      const { char: escape, chars } = rules.escape ?? { char: '', chars: '' };
      return Array.from(text, (char) => (chars.includes(char) ? escape + char : char)).join('');
    }
    default:
      return text;
  }
}

/** Whether a space outside of quotes would make several words of it. */
function isSplit(text: string, { strong, weak }: QuotingRules): boolean {
  const [first] = text;
  const isQuote = (char: string | undefined): boolean =>
    char !== undefined && (char === strong || char === weak);
  if (text.length >= 2 && isQuote(first) && text.at(-1) === first) return false;
  let open: string | undefined;
  for (const char of text) {
    if (char === open) open = undefined;
    else if (open === undefined && isQuote(char)) open = char;
    else if (open === undefined && char === ' ') return true;
  }
  return false;
}

interface FilledLine {
  readonly line: string;
  /** What a shell might take for more than the text that it is. */
  readonly refused: readonly Filling[];
}

/** Puts values where they stand for nothing but themselves, whatever quotes are around them. */
export function fillWithValues(
  line: string,
  fillings: Fillings,
  platform: EditorPlatform,
): FilledLine {
  const refused: Filling[] = [];
  const filled = fill(line, fillings, (filling, { quote }) => {
    if (!isHarmless(filling.value, { isQuoted: quote !== undefined, platform }))
      refused.push(filling);
    return filling.value;
  });
  return { line: filled, refused };
}

/** Has a POSIX shell look up the values when it runs the line. */
export function fillWithExpressions(line: string, fillings: Fillings): FilledLine {
  const refused: Filling[] = [];
  const filled = fill(line, fillings, (filling, { quote, isEscaped }) => {
    if (isEscaped) refused.push(filling);
    if (!filling.expression.startsWith('$') || quote === '"') return filling.expression;
    return quote === "'" ? `'"${filling.expression}"'` : `"${filling.expression}"`;
  });
  return { line: filled, refused };
}

interface Spot {
  readonly quote: string | undefined;
  readonly isEscaped: boolean;
}

function fill(
  line: string,
  fillings: Fillings,
  textFor: (filling: Filling, spot: Spot) => string,
): string {
  let quote: string | undefined;
  let isEscaped = false;
  let filled = '';
  for (const char of line) {
    const filling = fillings.at(char);
    filled += filling === undefined ? char : textFor(filling, { quote, isEscaped });
    if (!isEscaped && char === '\\' && quote !== "'") {
      isEscaped = true;
      continue;
    }
    if (!isEscaped && (char === "'" || char === '"')) quote = quoteAfter(char, quote);
    isEscaped = false;
  }
  return filled;
}

function quoteAfter(char: string, open: string | undefined): string | undefined {
  if (open === undefined) return char;
  return open === char ? undefined : open;
}

/**
 * Nothing that a shell reads as anything but a letter: not even within quotes, because those may stand in a
 * command of their own, "$(like this)".
 */
function isHarmless(
  value: string,
  { isQuoted, platform }: { readonly isQuoted: boolean; readonly platform: EditorPlatform },
): boolean {
  if (platform === 'windows')
    return (
      isQuoted ? /^[\p{L}\p{M}\p{N} _@+=:;,.()\\/-]*$/u : /^[\p{L}\p{M}\p{N}_@+:.\\/-]*$/u
    ).test(value);
  return (isQuoted ? /^[\p{L}\p{M}\p{N} _@%+=:,./-]*$/u : /^[\p{L}\p{M}\p{N}_@%+=:,./-]*$/u).test(
    value,
  );
}
