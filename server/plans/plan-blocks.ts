import type { TextRange } from './plan.ts';

/**
 * A plan is read in blocks, so that a pressed key costs the reading of one: the keys of the plan
 * start in the first column, and below a bare `tasks:` every task starts where the first one does.
 */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** In which column its first key is; 0 is one of the plan. */
  readonly column: number;
  /** Where its first line is a word that lacks its colon: somebody is still writing it. */
  readonly bareWord: TextRange | undefined;
  /** A bare `tasks:`; what follows are tasks. */
  readonly opensTasks: boolean;
  /** The column of tasks after it; 0 where none can follow. */
  readonly taskColumn: number;
}

interface Line {
  readonly start: number;
  /** Behind its line break. */
  readonly end: number;
  /** Of the first character that is no space. */
  readonly at: number;
  readonly column: number;
}

/** `name:` with something or nothing behind it. */
const KEY = /[A-Za-z0-9_][\w.-]*:(?=[ \r\n]|$)/y;
const BARE_WORD = /[A-Za-z0-9_][\w.-]* *(?: #[^\n]*)?(?=\r?\n|$)/y;
const WORD = /^[\w.-]+/;
const BARE_TASKS = /tasks: *(?: #[^\n]*)?(?=\r?\n|$)/y;
const DOCUMENT_START = /--- *(?: #[^\n]*)?(?=\r?\n|$)/y;
const SPACE = 0x20;
const BYTE_ORDER_MARK = '\uFEFF';

/** Where to split, and what is known of the text before. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly taskColumn: number;
}

/**
 * The blocks of a stretch of text that starts and ends with one. Nothing where some line could mean
 * anything that takes the whole document to know: then nobody may read it in blocks.
 */
export function splitBlocks(text: string, { from, to, taskColumn }: Span): Block[] | undefined {
  const blocks: Block[] = [];
  let column = taskColumn;
  for (let start = from; start < to;) {
    const line = lineAt(text, start);
    const isFirst = from === 0 && blocks.length === 0;
    const begun = blockAt(text, line, { taskColumn: column, isFirst });
    if (begun === 'unclear') return undefined;
    if (begun !== 'inside') {
      const last = blocks.pop();
      if (last !== undefined) blocks.push({ ...last, end: start });
      // What stands above the first key belongs to it.
      blocks.push({ ...begun, start: isFirst ? 0 : start, end: to });
      column = begun.taskColumn;
    }
    start = line.end;
  }
  return blocks;
}

function lineAt(text: string, start: number): Line {
  const lineBreak = text.indexOf('\n', start);
  const end = lineBreak < 0 ? text.length : lineBreak + 1;
  const first = start === 0 && text.startsWith(BYTE_ORDER_MARK) ? 1 : start;
  let at = first;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return { start, end, at, column: at - first };
}

function blockAt(
  text: string,
  { at, end, column }: Line,
  { taskColumn, isFirst }: { readonly taskColumn: number; readonly isFirst: boolean },
): Omit<Block, 'start' | 'end'> | 'inside' | 'unclear' {
  const char = text[at] ?? '\n';
  if (char === '\n' || char === '#' || (char === '\r' && at + 2 === end)) return 'inside';
  if (char === '\t' || (column > 0 && column < taskColumn)) return 'unclear';
  if (column > taskColumn) return column > 0 && isFirst ? 'unclear' : 'inside';
  // The end of what was opened with a bracket further up.
  if ((char === ']' || char === '}') && !isFirst) return 'inside';
  if (isFirst && matches(text, at, DOCUMENT_START)) return 'inside';
  if (matches(text, at, KEY)) {
    if (column > 0) return { column, bareWord: undefined, opensTasks: false, taskColumn };
    const below = matches(text, at, BARE_TASKS) ? columnBelow(text, end) : 0;
    return { column, bareWord: undefined, opensTasks: below > 0, taskColumn: below };
  }
  if (isFirst || !matches(text, at, BARE_WORD)) return 'unclear';
  const bareWord = { start: at, end: at + WORD.exec(text.slice(at, end))![0].length };
  return { column, bareWord, opensTasks: false, taskColumn };
}

/** Where the first key below a line is indented to; 0 where there is none. */
function columnBelow(text: string, from: number): number {
  for (let start = from; start < text.length;) {
    const { at, column, end } = lineAt(text, start);
    const isEmpty = text[at] === '\n' || text[at] === '#' || (text[at] === '\r' && at + 2 === end);
    if (!isEmpty) return matches(text, at, KEY) ? column : 0;
    start = end;
  }
  return 0;
}

function matches(text: string, at: number, pattern: RegExp): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
