/** Parts of the size of the letters; what is not named here is as wide as most are. */
const NARROW = /[ijltfrI.,:;'"|!()[\]{} -]/;
const WIDE = /[mwMW@%]|[A-Z]/;
/** Signs of East Asia and small pictures are as wide as they are high. */
const SQUARE =
  /[\u1100-\u115F\u2E80-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\p{Extended_Pictographic}/u;

/** About how wide a text is drawn: nobody who works it out here has the font. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += widthOf(letter);
  return width * size;
}

/** As much of a text as there is room for. */
export function fitText(text: string, { size, width }: { size: number; width: number }): string {
  if (textWidth(text, size) <= width) return text;
  let used = size;
  let fitting = '';
  for (const letter of text) {
    used += widthOf(letter) * size;
    if (used > width) break;
    fitting += letter;
  }
  return `${fitting.trimEnd()}…`;
}

function widthOf(letter: string): number {
  if (SQUARE.test(letter)) return 1.05;
  if (NARROW.test(letter)) return 0.36;
  return WIDE.test(letter) ? 0.78 : 0.6;
}
