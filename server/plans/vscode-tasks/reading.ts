import type { Node } from 'jsonc-parser';
import type { TextRange } from '../plan.ts';
import { ProblemList } from '../yaml-document.ts';
import { Fillings } from './fillings.ts';
import { itemsOf, placesInString, rangeOfNode } from './json-document.ts';
import type { Word } from './shell-line.ts';
import type { Surroundings } from './surroundings.ts';
import { meaningOf, withoutVariables } from './variables.ts';

/** What is the same for all tasks of a file. */
export interface ReadFile {
  readonly source: string;
  readonly surroundings: Surroundings;
  readonly lookalikes: ReadonlySet<string>;
}

/** What the readers of one task have at hand. */
export class Reading {
  readonly source: string;
  readonly surroundings: Surroundings;
  readonly #file: ReadFile;
  readonly problems: ProblemList;
  readonly fillings: Fillings;
  #isFull = false;

  constructor(file: ReadFile, problems: ProblemList, fillings = new Fillings(file.lookalikes)) {
    this.source = file.source;
    this.surroundings = file.surroundings;
    this.#file = file;
    this.problems = problems;
    this.fillings = fillings;
  }

  /** The same, for what has been complained of already. */
  silent(): Reading {
    return new Reading(this.#file, new ProblemList(), this.fillings);
  }

  /** Something that editors do and Interlock does not: no mistake, but no task of ours either. */
  editorOnly(node: Node, message: string): void {
    this.problems.add({ ...EDITOR_ONLY, message, range: rangeOfNode(node) });
  }

  /** A text as it is written. */
  text(node: Node, what: string): string | undefined {
    if (node.type === 'string') {
      const text = String(node.value);
      if (!text.includes('\0')) return text;
      this.problems.error(
        'wrong-type',
        rangeOfNode(node),
        `${what} cannot contain a NUL character.`,
      );
      return undefined;
    }
    this.problems.error('wrong-type', rangeOfNode(node), `${what} is a text.`);
    return undefined;
  }

  /** A text with its variables replaced; a list of texts counts as one, as editors take it. */
  word(node: Node, what: string): Word | undefined {
    if (node.type !== 'array') return this.#oneWord(node, what);
    const words = itemsOf(node).map((item) => this.#oneWord(item, what));
    return {
      text: words.map((word) => word?.text ?? '').join(' '),
      source: words.map((word) => word?.source ?? '').join(' '),
      quoting: undefined,
      range: rangeOfNode(node),
    };
  }

  words(node: Node, what: string): readonly Word[] {
    if (node.type !== 'array') {
      this.problems.error('wrong-type', rangeOfNode(node), `${what} is a list of texts.`);
      return [];
    }
    return itemsOf(node).flatMap((item) => this.#oneWord(item, what) ?? []);
  }

  #oneWord(node: Node, what: string): Word | undefined {
    const source = this.text(node, what);
    if (source === undefined) return undefined;
    const placeOf = placesInString(this.source, node);
    const text = withoutVariables(source, ({ name, body, at }) => {
      const range = placeOf({ start: at, end: at + name.length });
      // Editors leave what is nested as it is.
      return body.includes('${') ? name : this.#replace({ name, body, range });
    });
    return { text, source, quoting: undefined, range: rangeOfNode(node) };
  }

  #replace({ name, body, range }: Variable): string {
    const meaning = meaningOf(body, this.surroundings);
    if (meaning.kind === 'known') {
      const { value, expression } = meaning;
      return this.fillings.add({ value, expression, name, range }) ?? this.#refuse(name, range);
    }
    if (meaning.kind === 'editor-only')
      this.problems.add({ ...EDITOR_ONLY, message: meaning.message, range });
    else if (meaning.hint !== '') {
      const message = `"${name}" is no variable of the editor, so it is left as it is.${meaning.hint}`;
      this.problems.warning('unknown-key', range, message);
    }
    return name;
  }

  /** Said at the first of them. */
  #refuse(name: string, range: TextRange): string {
    if (!this.#isFull) this.problems.error('too-large', range, 'This task has too many variables.');
    this.#isFull = true;
    return name;
  }
}

interface Variable {
  readonly name: string;
  readonly body: string;
  readonly range: TextRange;
}

const EDITOR_ONLY = { code: 'editor-only', severity: 'hint', related: [] } as const;
