import { graphFile } from '../../picture/graph-file.ts';
import { DARK, LIGHT } from '../../picture/palette.ts';
import type { Graph } from '../../protocol/graph.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import { displayText } from '../domain/display-text.ts';
import { graphOf } from '../pictures/plan-graph.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { writePicture } from './write-picture.ts';

/** What a plan does in which order: as text, as a document, or as a picture. */
export async function graph(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  return await withBoard(args, terminal, { how: { command: 'graph' }, use: show });
}

function show({ args, terminal, world, board }: BoardUse): ExitCode {
  board.load();
  const [word] = args.words;
  const loaded = planNamed(board.plans.all, word);
  if (typeof loaded === 'string')
    return sayRefused(args, terminal, {
      kind: 'refused',
      why: 'unknown-plan',
      message: loaded,
      code: EXIT.usage,
    });
  const options = new OptionReader(args.options);
  const [around, file] = [options.text('around'), options.text('svg')];
  const rules = world.rulesOf(args.folder);
  const plan = loaded.path;
  const reply = graphOf({ folderUri: args.folder, plan, loaded, rules, around });
  if (reply.kind === 'refused') {
    const { message } = reply;
    return sayRefused(args, terminal, { ...reply, why: 'graph', message, code: EXIT.refused });
  }
  if (file !== undefined) {
    const states = new Map(
      board
        .tasks()
        .filter((each) => each.plan.path === plan)
        .map(({ task, status: { kind, detail } }) => [
          task.id,
          { state: kind, detail: displayText(detail) },
        ]),
    );
    const colours = { palette: LIGHT, darkPalette: DARK };
    const svg = graphFile(reply.graph, { states, colours });
    return writePicture({ args, terminal }, { file, svg, of: { plan } });
  }
  if (args.isJson) sayJson(terminal, reply.graph);
  else for (const line of inWords(reply.graph)) outLine(terminal, line);
  return EXIT.done;
}

/** The plan, or why there is none. */
function planNamed(plans: readonly LoadedPlan[], word: string | undefined): LoadedPlan | string {
  const names = plans.map(({ path }) => path).join(', ');
  if (plans.length === 0) return 'There is no plan here.';
  if (word === undefined)
    return plans.length === 1 ? plans[0]! : `There are several plans; name one of them: ${names}.`;
  const found = plans.find(({ path, plan }) => path === word || plan.knownAs === word);
  return found ?? `There is no plan "${word}". Plans here: ${names}.`;
}

/** A line for each task, column by column, with what it waits for. */
function inWords({ nodes, edges }: Graph): readonly string[] {
  const order = nodes
    .filter(({ kind }) => kind === 'task')
    .toSorted((a, b) => a.layer - b.layer || a.y - b.y);
  return order.map(({ id }) => {
    const namesOf = (kind: string): string[] =>
      edges.flatMap((edge) => (edge.kind === kind && edge.to === id ? [edge.from] : []));
    const hazards = edges.flatMap(({ kind, from, to }) =>
      kind === 'collides' && (from === id || to === id) ? [from === id ? to : from] : [],
    );
    const parts = [
      ['needs', namesOf('depends_on')],
      ['after', namesOf('after')],
      ['collides with', hazards],
    ] as const;
    const said = parts.flatMap(([word, names]) =>
      names.length === 0 ? [] : [`${word} ${names.join(', ')}`],
    );
    return `${id}${said.length === 0 ? '' : `: ${said.join('; ')}`}`;
  });
}
