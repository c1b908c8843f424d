import {
  type ClientCapabilities,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type RelatedFullDocumentDiagnosticReport,
  type RelatedUnchangedDocumentDiagnosticReport,
  type UnchangedDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { DiagnosticsBook } from './diagnostics-book.ts';

type Report = FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport;
type ReportWithOthers =
  | RelatedFullDocumentDiagnosticReport
  | RelatedUnchangedDocumentDiagnosticReport;

/** Whether a client asks for diagnostics, and takes none that it has not asked for. */
export function pullsDiagnostics({ textDocument }: ClientCapabilities): boolean {
  return textDocument?.diagnostic !== undefined && textDocument.publishDiagnostics === undefined;
}

/** What a client that asks has been answered, and what it should ask for again. */
export class PulledDiagnostics {
  readonly #book: DiagnosticsBook;
  readonly #askAgain: () => void;
  /** What has changed since it was answered. */
  readonly #unknown = new Set<string>();
  /** What the client changed itself: it asks for those without being told. */
  readonly #edited = new Set<string>();
  #isDue = false;

  constructor(book: DiagnosticsBook, askAgain: () => void) {
    this.#book = book;
    this.#askAgain = askAgain;
  }

  /** It has another text now, and is open or not. */
  edited(uri: string, isOpen: boolean): void {
    if (isOpen) this.#edited.add(uri);
    else this.#edited.delete(uri);
  }

  /** An answer that is on its way may be what tells it. */
  changed(uri: string): void {
    this.#unknown.add(uri);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if ([...this.#unknown].some((one) => !this.#edited.has(one))) this.#askAgain();
    });
  }

  report(
    uri: string,
    { known, hasRelated }: { readonly known: string | undefined; readonly hasRelated: boolean },
  ): ReportWithOthers {
    this.#book.tell();
    this.#edited.delete(uri);
    const report = this.#reportOn(uri, known);
    const others = hasRelated ? [...this.#unknown] : [];
    if (others.length === 0) return report;
    const relatedDocuments = Object.fromEntries(
      others.map((other) => [other, this.#reportOn(other, undefined)]),
    );
    return { ...report, relatedDocuments };
  }

  /** Of all documents of which there is something to say, or was when the client asked before. */
  reports(known: ReadonlyMap<string, string>): ReadonlyMap<string, Report> {
    this.#book.tell();
    const uris = new Set([...this.#book.uris, ...known.keys()]);
    return new Map([...uris].map((uri) => [uri, this.#reportOn(uri, known.get(uri))]));
  }

  #reportOn(uri: string, known: string | undefined): Report {
    this.#unknown.delete(uri);
    const items = this.#book.get(uri);
    const resultId = nameOf(items);
    if (resultId === known) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
  }
}

/** The same for the same diagnostics, also of another server: clients keep it longer than we live. */
function nameOf(items: readonly Diagnostic[]): string {
  const text = JSON.stringify(items);
  let [one, other] = [0x9e_37_79_b9, 0x85_eb_ca_6b];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01_00_01_93);
    other = Math.imul(other ^ unit, 0x5b_d1_e9_95) ^ (other >>> 15);
  }
  return [text.length, one >>> 0, other >>> 0].map((part) => part.toString(36)).join('-');
}
