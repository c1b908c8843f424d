import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FIRST_PLAN, planIn, planOfTasksJson, starterPlans } from '../board/starter-plans.ts';
import type { PlanFiles } from '../board/ports.ts';
import { STARTER_KINDS } from '../plans/starter/starter.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Writes a plan that runs, or one that does what a tasks.json says. What is there already is never touched. */
export function init(args: Arguments, terminal: Terminal): ExitCode {
  const { folder, isJson } = args;
  const file = path.join(folder, FIRST_PLAN);
  const { files } = terminal.world('init');
  const found = planIn(folder, files);
  if (found !== undefined) return sayThere(args, terminal, found);
  const chosen = choose(args, files);
  if ('kind' in chosen) return sayRefused(args, terminal, chosen);
  try {
    writeFileSync(file, chosen.text, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'EEXIST') return sayThere(args, terminal, FIRST_PLAN);
    const message = `Could not write ${file} (${code}). Choose a folder that is yours with --board.`;
    return sayRefused(args, terminal, { kind: 'refused', why: 'file', message, code: EXIT.usage });
  }
  const { from, others } = chosen;
  if (isJson) sayJson(terminal, { file, ...(from !== undefined && { from }), others });
  else {
    const origin = from === undefined ? '' : `, made from ${from}`;
    const also = others.length === 0 ? '' : ` Also possible: --for ${others.join(', --for ')}.`;
    outLine(terminal, `Wrote ${file}${origin}. "interlock run" runs it.${also}`);
  }
  return EXIT.done;
}

interface Chosen {
  readonly text: string;
  readonly from: string | undefined;
  /** What else would fit the folder. */
  readonly others: readonly string[];
}

function choose({ folder, options }: Arguments, files: PlanFiles): Chosen | Refused {
  if (options['from-tasks'] === true) {
    const text = planOfTasksJson(folder, files);
    return text === undefined ? noTasks(folder) : { text, from: '.vscode/tasks.json', others: [] };
  }
  const plans = starterPlans(folder, files);
  const wanted = options['for'];
  const plan = plans.find(({ kind }) => wanted === undefined || kind === wanted);
  if (plan === undefined)
    return notFor(folder, { wanted: String(wanted), kinds: plans.map(kindOf) });
  const others = plans.slice(0, -1).filter(({ kind }) => kind !== plan.kind);
  return {
    text: plan.text,
    from: plan.source,
    others: wanted === undefined ? others.map(kindOf) : [],
  };
}

function kindOf({ kind }: { readonly kind: string }): string {
  return kind;
}

function notFor(
  folder: string,
  { wanted, kinds }: { readonly wanted: string; readonly kinds: readonly string[] },
): Refused {
  const isKnown = STARTER_KINDS.some((kind) => kind === wanted);
  const problem = isKnown
    ? `Nothing in ${folder} can be run with ${wanted}.`
    : `"${wanted}" is not one of ${STARTER_KINDS.join(', ')}.`;
  const message = `${problem} What fits there: ${kinds.join(', ')}.`;
  return { kind: 'refused', why: 'no-starter', message, code: EXIT.usage };
}

function noTasks(folder: string): Refused {
  const message = `There is no .vscode/tasks.json in ${folder}. Without --from-tasks, a small plan is written.`;
  return { kind: 'refused', why: 'no-tasks', message, code: EXIT.usage };
}

function sayThere(args: Arguments, terminal: Terminal, plan: string): ExitCode {
  const message = `There is a plan already: ${path.join(args.folder, plan)}. It is left as it is.`;
  const code = EXIT.refused;
  return sayRefused(args, terminal, { kind: 'refused', why: 'exists', message, code });
}
