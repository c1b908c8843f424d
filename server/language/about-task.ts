import { inShort } from '../domain/display-text.ts';
import type { PlanTask } from '../plans/plan.ts';
import { codeBlock, codeText, plainText } from './markdown.ts';

/** What a plan says of a task, in Markdown. */
export function aboutTask(task: PlanTask): string {
  const { title, description, command, dependsOn, after, reads, writes } = task;
  const lines = [
    title === '' ? '' : plainText(title),
    description === undefined ? '' : aboutDescription(description),
    command === undefined ? '' : aboutCommand(command),
    dependsOn.length === 0 ? '' : `Depends on ${listed(dependsOn)}.`,
    after.length === 0 ? '' : `After ${listed(after)}.`,
    reads.length === 0 ? '' : `Reads ${listed(reads)}.`,
    writes.length === 0 ? '' : `Writes ${listed(writes)}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** The beginning of it; the plan has the rest. */
function aboutDescription(description: string): string {
  const lines = description.split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines
    .slice(0, DESCRIPTION_LINES)
    .map((line) => plainText(inShort(line.trim(), 300)));
  return [...shown, ...(lines.length > shown.length ? ['…'] : [])].join('  \n');
}

const DESCRIPTION_LINES = 6;

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
