import { displayText, inShort } from '../domain/display-text.ts';
import type { PlanTask } from '../plans/plan.ts';

/** What a plan says of a task, in Markdown. */
export function aboutTask({ title, command, dependsOn, after, reads, writes }: PlanTask): string {
  const lines = [
    title === '' ? '' : displayText(title),
    command === undefined ? '' : codeText(commandText(command)),
    dependsOn.length === 0 ? '' : `Depends on ${listed(dependsOn)}.`,
    after.length === 0 ? '' : `After ${listed(after)}.`,
    reads.length === 0 ? '' : `Reads ${listed(reads)}.`,
    writes.length === 0 ? '' : `Writes ${listed(writes)}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function commandText(command: NonNullable<PlanTask['command']>): string {
  return command.kind === 'shell' ? command.script : [command.file, ...command.args].join(' ');
}

/** In backticks; a text with backticks in it needs more of them around it. */
export function codeText(text: string): string {
  const line = inShort(displayText(text.trim().split('\n')[0] ?? ''));
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

const LISTED = 8;

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, LISTED).map(codeText);
  const left = texts.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
