import { expect, test } from 'vitest';
import { displayName } from '../../../picture/display-text.ts';
import { shellNote, touchedNote } from '../../../server/board/observed-text.ts';
import { askedSentences } from '../../../server/cli/asked-text.ts';
import { collisionText } from '../../../server/cli/owning.ts';
import { displayLine, displayText } from '../../../server/domain/display-text.ts';
import { instant } from '../../../server/domain/time.ts';
import { NO_PATHS } from '../../../server/domain/paths/path-set.ts';
import { explain } from '../../../server/scheduler/predicate/explain.ts';
import { workerId } from '../../support/snapshots.ts';

/** Files that differ in nothing else than in what is not seen, or turns a line. */
const NAMES = [
  'src/a b.ts',
  'src/a\tb.ts',
  'src/a\nb.ts',
  'src/a\u001Bb.ts',
  'src/a\u202Eb.ts',
  'src/a\u200Bb.ts',
  'src/a\\u{a}b.ts',
  ' src/a b.ts',
];

const worker = workerId('agent/other');

/** Each place where the name of a file becomes part of a sentence. */
const SENTENCES: Readonly<Record<string, (file: string) => string>> = {
  'what a shell command may have changed': (file) => shellNote({ paths: [file], holder: worker }),
  'what changed during the command of another': (file) => touchedNote([file], { worker }),
  'a wish for a file': (file) =>
    askedSentences([{ worker, path: file, at: instant(0) }]).join('\n'),
  'who has a file': (file) =>
    collisionText({
      owner: {
        who: { kind: 'person', id: '1', isUnsaved: false },
        worker,
        tree: '',
        reads: NO_PATHS,
        writes: NO_PATHS,
        isLive: true,
      },
      kind: 'write-write',
      rule: 'wait',
      example: file,
    }),
  'why a task waits': (file) =>
    displayText(
      explain({
        kind: 'hazard',
        owner: { kind: 'person', id: '1', isUnsaved: false },
        worker,
        overlap: 'write-write',
        rule: 'wait',
        example: file,
        isInverted: false,
      }),
    ),
  'a name in the editor': displayName,
};

for (const [what, sentenceOf] of Object.entries(SENTENCES))
  test(`no two names of files look alike in ${what}`, () => {
    const said = NAMES.map(sentenceOf);
    expect(new Set(said).size).toBe(NAMES.length);
    // oxlint-disable-next-line no-control-regex -- That is what must not be in it.
    for (const sentence of said) expect(sentence).not.toMatch(/[\u0000-\u001F\u200B\u202E]/u);
  });

test('the editor shows a name as the command line does', () => {
  expect(NAMES.map(displayName)).toEqual(NAMES.map(displayLine));
});
