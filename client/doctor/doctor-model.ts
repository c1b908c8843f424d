import * as l10n from '@vscode/l10n';
import type { DoctorCheck, DoctorReport } from '../../protocol/doctor.ts';
import { errorText } from '../error-text.ts';
import { codeText, plainText } from '../markdown.ts';

export interface EditorFacts {
  readonly extension: string;
  readonly editor: string;
  /** Where the extension runs, when that is not this machine: `ssh-remote`. */
  readonly remote: string | undefined;
  readonly isTrusted: boolean;
  readonly folderCount: number;
}

const SIGNS = { fine: '✓', note: '!', wrong: '✗' } as const;

/** What the server found, with what only the editor knows. */
export function withEditor(report: DoctorReport, facts: EditorFacts): DoctorReport {
  return { ...report, checks: [editorCheck(facts), ...report.checks] };
}

/** All that can be said where the server does not answer. */
export function withoutServer(error: unknown): DoctorReport {
  const advice = l10n.t('"Interlock: Show Output" says why.');
  return { checks: [{ name: 'server', state: 'wrong', found: errorText(error), advice }] };
}

function editorCheck(facts: EditorFacts): DoctorCheck {
  const { extension, editor, remote, isTrusted, folderCount } = facts;
  const parts = [
    `Interlock ${extension}`,
    editor,
    ...(remote === undefined ? [] : [remote]),
    folderCount === 1 ? l10n.t('1 folder') : l10n.t('{0} folders', folderCount),
    isTrusted ? l10n.t('trusted') : l10n.t('not trusted'),
  ];
  const found = parts.join(', ');
  if (isTrusted) return { name: 'editor', state: 'fine', found };
  const advice = l10n.t(
    'Nothing runs until you trust the folder: "Workspaces: Manage Workspace Trust".',
  );
  return { name: 'editor', state: 'note', found, advice };
}

/** As Markdown that can be read as it is, and pasted into an issue. */
export function reportText({ folder, checks }: DoctorReport): string {
  const where = folder === undefined ? [] : [`${l10n.t('Folder')}: ${codeText(folder)}`];
  const title = `# ${l10n.t('Interlock: Doctor')}`;
  return `${[title, summary(checks), ...where, checkTable(checks)].join('\n\n')}\n`;
}

/** A row for each, with what to do. */
export function checkTable(
  checks: readonly DoctorCheck[],
  foundOf: (check: DoctorCheck) => string = ({ found }) => plainText(found),
): string {
  const headings = ['', l10n.t('what'), l10n.t('found'), l10n.t('what to do')];
  const rows = checks.map((check) => {
    const { name, state, advice = '' } = check;
    return [SIGNS[state], `**${name}**`, foundOf(check), plainText(advice)];
  });
  const table = [headings, headings.map(() => '---'), ...rows];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function summary(checks: readonly DoctorCheck[]): string {
  const count = (state: DoctorCheck['state']): number =>
    checks.filter((check) => check.state === state).length;
  const [wrong, notes] = [count('wrong'), count('note')];
  if (wrong === 1) return l10n.t('1 thing is wrong.');
  if (wrong > 1) return l10n.t('{0} things are wrong.', wrong);
  if (notes > 0) return l10n.t('Everything works; see what could be better.');
  return l10n.t('Everything is fine.');
}
