import { DARK, LIGHT } from '../../picture/palette.ts';
import { timelineFile } from '../../picture/timeline-file.ts';
import type { RunId } from '../domain/ids.ts';
import { followRun } from '../pictures/follow-run.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { BoardUse } from './open-board.ts';
import { sayRefused } from './say.ts';
import { writePicture } from './write-picture.ts';

/** What a page of a report has room for. */
const WIDTH = 1200;

type Use = Pick<BoardUse, 'args' | 'terminal' | 'world' | 'open'>;

/** What ran when in a run, as a file of SVG. */
export function drawTimeline(use: Use, run: RunId, file: string): ExitCode {
  const { args, terminal, world, open } = use;
  const rules = world.rulesOf(args.folder);
  const followed = followRun({ open, rules, folderUri: args.folder }, run);
  if (followed === undefined || !followed.isKept) {
    const message = `Nothing of the run "${run}" is kept but its end.`;
    const code = EXIT.refused;
    return sayRefused(args, terminal, { kind: 'refused', why: 'not-kept', message, code });
  }
  const timeline = followed.timeline();
  const colours = { palette: LIGHT, darkPalette: DARK };
  const svg = timelineFile(timeline, { width: WIDTH, grouping: 'task', colours });
  return writePicture(use, { file, svg, of: { run } });
}
