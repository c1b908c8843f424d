import { parseRunId, type RunId } from '../domain/ids.ts';
import type { Store } from '../engine/store-port.ts';
import { ClockText } from '../board/clock-text.ts';
import { eventText } from './event-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { drawTimeline } from './draw-timeline.ts';
import { ledgerOfRun } from './run-ledger.ts';
import { outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

const RUNS_LIMIT = 200;

/** What happened in one run, the oldest first. */
export async function timeline(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  return await withBoard(args, terminal, { how: { command: 'timeline' }, use: show });
}

function show({ args, terminal, world, open }: BoardUse): ExitCode {
  const [word] = args.words;
  const run = word === undefined ? newestRun(open.store, args.folder) : parseRunId(word);
  const isKnown =
    run !== undefined && open.store.runs(RUNS_LIMIT).some(({ manifest }) => manifest.id === run);
  if (run === undefined || !isKnown) {
    const message =
      word === undefined ? 'There has been no run yet.' : `There is no run "${word}".`;
    const code = word === undefined ? EXIT.refused : EXIT.usage;
    return sayRefused(args, terminal, { kind: 'refused', why: 'unknown-run', message, code });
  }
  const file = new OptionReader(args.options).text('svg');
  if (file !== undefined) return drawTimeline({ args, terminal, world, open }, run, file);
  if (args.isJson) {
    sayJson(terminal, { run, events: [...ledgerOfRun(open.store, run)] });
    return EXIT.done;
  }
  const clock = new ClockText();
  let day = '';
  for (const { event } of ledgerOfRun(open.store, run)) {
    const said = eventText(event);
    if (said === undefined) continue;
    const today = clock.day(said.at);
    if (today !== day) outLine(terminal, `${today}, run ${run}`);
    day = today;
    const task = said.task === '' ? '' : `${said.task}: `;
    outLine(terminal, `${clock.time(said.at)}  ${task}${said.words}`);
  }
  return EXIT.done;
}

function newestRun(store: Store, folder: string): RunId | undefined {
  return store.runs(RUNS_LIMIT).find(({ manifest }) => manifest.root === folder)?.manifest.id;
}
