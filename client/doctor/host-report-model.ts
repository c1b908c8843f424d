import * as l10n from '@vscode/l10n';
import type { DoctorCheck } from '../../protocol/doctor.ts';
import { codeText, plainText } from '../markdown.ts';
import { checkTable, summary } from './doctor-model.ts';

/** As Markdown that can be read as it is. */
export function hostReportText(host: string, checks: readonly DoctorCheck[]): string {
  const title = `# ${l10n.t('Interlock: {0}', plainText(host))}`;
  return `${[title, summary(checks), checkTable(checks, foundOf)].join('\n\n')}\n`;
}

/** A preview would make a link of `kim@build-1.example`, and of what stands for a host. */
function foundOf({ name, state, found }: DoctorCheck): string {
  const isAddress = name === 'ssh' && state === 'fine' && !found.includes('|');
  return isAddress ? codeText(found) : plainText(found);
}

/** Whether something is wrong with its key; whoever asks is told if it may be trusted. */
export function hasOfferedKey(checks: readonly DoctorCheck[]): boolean {
  return checks.some(({ name, state }) => name === 'host key' && state === 'wrong');
}
