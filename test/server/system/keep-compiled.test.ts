import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compiledFolder, loadProgram } from '../../../server/system/keep-compiled.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OTHER_USER = 4711;
const isPosix = process.platform !== 'win32';

test('compiled code is kept in a folder for this user only, and nowhere without a state directory', () => {
  const home = temporaryFolder();
  const folder = compiledFolder(home);
  expect(folder).toBe(path.join(home, 'compiled'));
  const mode = statSync(path.join(home, 'compiled')).mode & 0o777;
  expect(isPosix ? mode : 0o700).toBe(0o700);
  expect(compiledFolder(path.join(home, 'none'))).toBeUndefined();
  expect(existsSync(path.join(home, 'none'))).toBe(false);
});

test.runIf(isPosix)('compiled code is not read where others can write', () => {
  for (const open of ['', 'compiled']) {
    const home = temporaryFolder();
    mkdirSync(path.join(home, 'compiled'));
    chmodSync(path.join(home, open), 0o777);
    expect(compiledFolder(home)).toBeUndefined();
  }
});

test.runIf(isPosix)('compiled code is not read through a link', () => {
  const home = temporaryFolder();
  symlinkSync(temporaryFolder(), path.join(home, 'compiled'));
  expect(compiledFolder(home)).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)(
  'compiled code is not read from a folder of another user',
  () => {
    for (const theirs of ['', 'compiled']) {
      const home = temporaryFolder();
      mkdirSync(path.join(home, 'compiled'));
      chownSync(path.join(home, theirs), OTHER_USER, OTHER_USER);
      expect(compiledFolder(home)).toBeUndefined();
    }
  },
);

/** As the build writes programs that are loaded so. */
function asFunction(text: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
}

function answering(word: string): string {
  return asFunction(
    `const { sep } = require('node:path'); exports.answer = () => '${word}' + __filename.split(sep).at(-1);`,
  );
}

/** What a program answers that is loaded from this source, and the files with compiled code then. */
function answerOf(file: string, home: string): readonly [unknown, readonly string[]] {
  const { program, keep } = loadProgram(file, { INTERLOCK_STATE_DIR: home });
  const answer: unknown = program.answer();
  keep();
  return [answer, readdirSync(path.join(home, 'compiled'))];
}

test('a program is loaded with what was compiled of it, and anew when it has changed', () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  const file = path.join(folder, 'program.js');
  writeFileSync(file, answering('one'));
  const [first, kept] = answerOf(file, home);
  expect([first, kept.length]).toEqual(['oneprogram.js', 1]);
  expect(answerOf(file, home)).toEqual([first, kept]);
  // As long as before, which is all that V8 looks at.
  writeFileSync(file, answering('two'));
  expect(answerOf(file, home)).toEqual(['twoprogram.js', kept]);
});

test('a program is loaded though what was kept of it is damaged, or cannot be kept', () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  const file = path.join(folder, 'program.js');
  writeFileSync(file, asFunction('exports.answer = () => 42;'));
  const [, [kept = '']] = answerOf(file, home);
  const compiled = path.join(home, 'compiled', kept);
  writeFileSync(compiled, 'nothing of V8');
  expect(answerOf(file, home)[0]).toBe(42);
  expect(statSync(compiled).size).toBeGreaterThan(100);
  const { program, keep } = loadProgram(file, { INTERLOCK_STATE_DIR: path.join(home, 'none') });
  keep();
  expect(program.answer()).toBe(42);
});
