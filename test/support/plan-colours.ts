import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const ROOT = new URL('../../', import.meta.url);
const VSCODE = 'scripts/vscode-server/node_modules/code-server/lib/vscode/extensions';
/** Those that come with VS Code. */
export const EXTENSIONS = new URL(`${VSCODE}/`, ROOT);
const GRAMMARS: Readonly<Record<string, string>> = {
  'markdown.interlock.kanban-task': 'syntaxes/kanban-task.tmLanguage.json',
  'source.interlock': 'syntaxes/interlock.tmLanguage.json',
  'source.shell': `${VSCODE}/shellscript/syntaxes/shell-unix-bash.tmLanguage.json`,
  'source.yaml': `${VSCODE}/yaml/syntaxes/yaml.tmLanguage.json`,
  'source.yaml.embedded': `${VSCODE}/yaml/syntaxes/yaml-embedded.tmLanguage.json`,
  'source.yaml.1.2': `${VSCODE}/yaml/syntaxes/yaml-1.2.tmLanguage.json`,
  'text.html.markdown': `${VSCODE}/markdown-basics/syntaxes/markdown.tmLanguage.json`,
};
/** How a scope of a token is written in a test; tokens with none of them are left out. */
const MARKS: readonly (readonly [scope: string, mark: string])[] = [
  ['invalid', 'invalid'],
  ['keyword.operator.negation.interlock', 'takes-away'],
  ['meta.embedded.shellscript.interlock', 'shell'],
  ['meta.embedded.markdown.interlock', 'markdown'],
  ['comment.line', 'comment'],
  ['punctuation.definition.comment', 'comment'],
  ['keyword.control.interlock', 'key'],
  ['entity.name.function.interlock', 'id'],
  ['entity.name.tag.yaml', 'yaml-key'],
  ['string.quoted', 'quoted'],
  ['string.unquoted', 'text'],
  ['constant.numeric', 'text'],
];

/** Tokenises plans as VS Code does: with its tokeniser, its grammars, and ours. */
export class PlanColours {
  readonly #grammar: textmate.IGrammar;

  private constructor(grammar: textmate.IGrammar) {
    this.#grammar = grammar;
  }

  static async load(scope = 'source.interlock'): Promise<PlanColours> {
    return new PlanColours(await loadGrammar(scope));
  }

  /** The text with what each part of it is below it, without the scopes that all of it has. */
  pictureOf(text: string): string {
    const lines = text.replace(/\n$/, '').split('\n');
    return this.#tokenize(lines.join('\n'))
      .map((tokens, index) =>
        [`| ${lines[index] ?? ''}`.trimEnd(), ...picturesOf(tokens)].join('\n'),
      )
      .join('\n')
      .concat('\n');
  }

  /** Each stretch of one kind with the text it covers, as `key run`. */
  marksOf(text: string): readonly string[] {
    return this.#tokenize(text).flatMap(marksOfLine);
  }

  /** The scopes of the first token that is `word`. */
  scopesOf(text: string, word: string): readonly string[] {
    return (
      this.#tokenize(text)
        .flat()
        .find((token) => token.text === word)?.scopes ?? []
    );
  }

  #tokenize(text: string): readonly (readonly Token[])[] {
    let stack = textmate.INITIAL;
    return text.split('\n').map((line) => {
      const { tokens, ruleStack } = this.#grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => ({
        text: line.slice(startIndex, endIndex),
        scopes,
      }));
    });
  }
}

interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

function picturesOf(tokens: readonly Token[]): readonly string[] {
  let column = 0;
  return tokens.flatMap(({ text, scopes }) => {
    const start = column + text.length - text.trimStart().length;
    column += text.length;
    const told = scopes.filter((scope) => !/^(?:source|text|meta)\.(?!embedded)/.test(scope));
    if (text.trim() === '' || told.length === 0) return [];
    return [`  ${' '.repeat(start)}${'^'.repeat(text.trim().length)} ${told.join(' ')}`];
  });
}

function marksOfLine(tokens: readonly Token[]): readonly string[] {
  const stretches: { mark: string | undefined; text: string }[] = [];
  for (const { text, scopes } of tokens) {
    const mark = MARKS.find(([scope]) => scopes.some((one) => one.startsWith(scope)))?.[1];
    const last = stretches.at(-1);
    if (last !== undefined && last.mark === mark) last.text += text;
    else stretches.push({ mark, text });
  }
  return stretches.flatMap(({ mark, text }) =>
    mark === undefined || text.trim() === '' ? [] : [`${mark} ${text.trim()}`],
  );
}

export function grammarFile(scope: string): URL {
  return new URL(GRAMMARS[scope] ?? `no grammar of ${scope}`, ROOT);
}

async function loadGrammar(scopeName: string): Promise<textmate.IGrammar> {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(readFileSync(wasm));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    getInjections: (scope) =>
      scope === 'text.html.markdown' ? ['markdown.interlock.kanban-task'] : undefined,
    loadGrammar: async (scope) => {
      const file = GRAMMARS[scope];
      if (file === undefined) return null;
      return textmate.parseRawGrammar(readFileSync(new URL(file, ROOT), 'utf8'), file);
    },
  });
  const loaded = await registry.loadGrammar(scopeName);
  if (loaded === null) throw new Error('The grammar could not be loaded.');
  return loaded;
}
