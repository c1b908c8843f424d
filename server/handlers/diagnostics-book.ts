import type { Diagnostic } from 'vscode-languageserver';

/** What is known of a document, and who knows it: several parts of the server may speak of one. */
export type DiagnosticsPart = 'plan' | 'ownership' | 'observed';

type Tell = (uri: string, diagnostics: Diagnostic[]) => void;

/** What the client was told of each document. What changes together is told together, and nothing twice. */
export class DiagnosticsBook {
  readonly #tellOf: Tell;
  readonly #parts = new Map<string, Map<DiagnosticsPart, readonly Diagnostic[]>>();
  readonly #told = new Map<string, string>();
  readonly #changed = new Set<string>();

  constructor(tell: Tell) {
    this.#tellOf = tell;
  }

  /** The documents of which there is something to say. */
  get uris(): readonly string[] {
    return [...this.#parts.keys()];
  }

  /** What one part has to say of a document now, instead of what it said before. */
  set(uri: string, part: DiagnosticsPart, diagnostics: readonly Diagnostic[]): void {
    const parts = this.#parts.get(uri) ?? new Map<DiagnosticsPart, readonly Diagnostic[]>();
    if (diagnostics.length === 0 && !parts.has(part)) return;
    if (diagnostics.length === 0) parts.delete(part);
    else parts.set(part, diagnostics);
    if (parts.size === 0) this.#parts.delete(uri);
    else this.#parts.set(uri, parts);
    if (this.#changed.size === 0) queueMicrotask(() => this.tell());
    this.#changed.add(uri);
  }

  get(uri: string): Diagnostic[] {
    return [...(this.#parts.get(uri)?.values() ?? [])].flat();
  }

  /** Tells what has changed now, not in a moment. */
  tell(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const uri of changed) {
      const diagnostics = this.get(uri);
      const text = JSON.stringify(diagnostics);
      if (text === (this.#told.get(uri) ?? '[]')) continue;
      if (diagnostics.length === 0) this.#told.delete(uri);
      else this.#told.set(uri, text);
      this.#tellOf(uri, diagnostics);
    }
  }
}
