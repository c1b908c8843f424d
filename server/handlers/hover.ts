import type { Hover } from 'vscode-languageserver';
import type { MatchingFiles } from '../board/matching-files.ts';
import { taskOf } from '../board/task-of.ts';
import { aboutHost } from '../language/about-host.ts';
import { aboutKey } from '../language/about-key.ts';
import { aboutTask } from '../language/about-task.ts';
import { codeText, plainText } from '../language/markdown.ts';
import { stateWords } from '../language/state-text.ts';
import { type Subject, whatIsAt } from '../language/what-is-at.ts';
import type { Feature } from './feature.ts';
import { toMarkup } from './markup.ts';
import { cursorAt } from './spots.ts';
import type { PlanDocument } from './workspace.ts';

export const hoverFeature: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register(connection, workspace) {
    connection.onHover(async ({ textDocument, position }): Promise<Hover | undefined> => {
      const document = workspace.yamlAt(textDocument.uri);
      const cursor = document && cursorAt(document, position);
      if (document === undefined || cursor === undefined) return undefined;
      const positions = document.places.positionsOf(document.file);
      const subject = whatIsAt(cursor, document.plan.plan);
      const value = subject && (await textOn(subject, document));
      if (subject === undefined || value === undefined) return undefined;
      const { contentFormat } = workspace.client.textDocument?.hover ?? {};
      const contents = toMarkup(value, contentFormat);
      return { contents, range: positions.range(subject.range) };
    });
  },
};

async function textOn(subject: Subject, document: PlanDocument): Promise<string | undefined> {
  switch (subject.kind) {
    case 'key':
      return aboutKey(subject.facts);
    case 'word':
      return subject.facts.summary;
    case 'host-name':
      return document.folder && aboutHost(subject.name, document.folder.hosts);
    case 'task':
      return textOnTask(subject, document);
    case 'pattern':
      return await textOnPattern(subject.text, document);
    default:
      return undefined;
  }
}

/** What the plan says of it, then how it is now, and what is in its way. */
function textOnTask(
  { plan: path, id }: Extract<Subject, { kind: 'task' }>,
  { plan: here, folder }: PlanDocument,
): string | undefined {
  const plan = path === undefined ? here : folder?.board.plans.get(path);
  const task = plan?.plan.tasks.find((one) => one.id === id);
  if (plan === undefined || task === undefined) return undefined;
  const now = folder && taskOf(folder.board, plan.path, id);
  const why = folder?.board.whyNot(plan.path, task.id) ?? [];
  const isIdle = now === undefined || now.status.kind === 'idle';
  const state = isIdle
    ? ''
    : stateText(now.status.kind, [
        // What is in its way is said below, in whole sentences.
        why.length > 0 ? '' : now.status.detail,
        folder?.board.heldBy(now) ?? '',
      ]);
  const parts = [
    `**${plainText(id)}**${state}`,
    aboutTask(task),
    why.map((sentence) => `- ${plainText(sentence)}`).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function stateText(kind: string, more: readonly string[]): string {
  const clauses = [stateWords(kind), ...more].filter((clause) => clause !== '');
  return ` — ${clauses.map(plainText).join(', ')}`;
}

async function textOnPattern(pattern: string, { folder }: PlanDocument): Promise<string> {
  if (folder === undefined) return '';
  const { count, first, isComplete } = await folder.board.matchingFiles(pattern);
  const found = countText({ count, first, isComplete });
  const left = count - first.length;
  const more = left > 0 ? [`- ${isComplete ? left : `at least ${left}`} more`] : [];
  const lines = [...first.map((file) => `- ${codeText(file)}`), ...more];
  const verb = pattern.startsWith('!') ? 'Takes away' : 'Stands for';
  return [`${verb} ${found} now.`, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

function countText({ count, isComplete }: MatchingFiles): string {
  const files = `${count === 0 ? 'no' : count} file${count === 1 ? '' : 's'}`;
  return isComplete ? files : `at least ${files}`;
}
