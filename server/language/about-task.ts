import type { PlanTask } from '../plans/plan.ts';
import { codeBlock, codeText, plainText } from './markdown.ts';

/** What a plan says of a task, in Markdown. */
export function aboutTask({ title, command, dependsOn, after, reads, writes }: PlanTask): string {
  const lines = [
    title === '' ? '' : plainText(title),
    command === undefined ? '' : aboutCommand(command),
    dependsOn.length === 0 ? '' : `Depends on ${listed(dependsOn)}.`,
    after.length === 0 ? '' : `After ${listed(after)}.`,
    reads.length === 0 ? '' : `Reads ${listed(reads)}.`,
    writes.length === 0 ? '' : `Writes ${listed(writes)}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** The first line of a script is often but a comment. */
function aboutCommand(command: NonNullable<PlanTask['command']>): string {
  const text = commandText(command);
  const isLong = command.kind === 'shell' && text.trim().includes('\n');
  return isLong ? codeBlock(text, 'sh') : codeText(text);
}

/** A command in one text, for people to read. */
export function commandText(command: NonNullable<PlanTask['command']>): string {
  return command.kind === 'shell' ? command.script : [command.file, ...command.args].join(' ');
}

const LISTED = 8;

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, LISTED).map(codeText);
  const left = texts.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
