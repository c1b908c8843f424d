import { type Examined, examine } from '../doctor/examine.ts';
import { displayLine } from '../domain/display-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { paint } from './paint.ts';
import { sayJson } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

const SIGNS = { fine: '✓', note: '!', wrong: '✗' } as const;
const COLOURS = { fine: 'green', note: 'yellow', wrong: 'red' } as const;

/** Says what is there, what is wrong, and what to do about it. Changes nothing. */
export async function doctor({ folder, isJson }: Arguments, terminal: Terminal): Promise<ExitCode> {
  const world = terminal.world('doctor');
  const checks = await examine(world.facts(folder), world.alarm);
  const wrongCount = checks.filter(({ state }) => state === 'wrong').length;
  if (isJson) sayJson(terminal, { folder, checks });
  else for (const check of checks) terminal.out(lineOf(check, terminal));
  return wrongCount === 0 ? EXIT.done : EXIT.failed;
}

function lineOf({ name, state, found, advice }: Examined, { screen }: Terminal): string {
  const sign = paint(screen, COLOURS[state], SIGNS[state]);
  const more = advice === undefined ? '' : `${' '.repeat(INDENT)}${displayLine(advice)}\n`;
  return `${sign} ${name.padEnd(INDENT - 2)}${displayLine(found)}\n${more}`;
}

const INDENT = 15;
