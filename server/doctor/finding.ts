import { displayText, inShort } from '../domain/display-text.ts';

/** What came of one question, for people. */
export interface Finding {
  /** `note`: all works, and something could be better. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export function fine(found: string): Finding {
  return { state: 'fine', found: shown(found) };
}

export function note(found: string, advice: string): Finding {
  return { state: 'note', found: shown(found), advice };
}

export function wrong(found: string, advice: string): Finding {
  return { state: 'wrong', found: shown(found), advice };
}

/** Programs print what they like. */
function shown(text: string): string {
  return inShort(displayText(text.trim()));
}
