import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, startProgram } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('where nothing can be installed, what is missing is said at once with the line to type', async () => {
  const module = JSON.stringify(path.join(ROOT, 'scripts', 'system-packages.mjs'));
  const script = `import(${module}).then(({ ensureSystemPackages }) => ensureSystemPackages());`;
  const env = { PATH: temporaryFolder(), CHROMIUM: '/nowhere/chromium' };
  const { code, err } = await startProgram(process.execPath, ['-e', script], { cwd: ROOT, env })
    .ended;
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Missing: chromium, git, tmux.*\. Install them first; on macOS type: brew install --cask chromium git tmux/,
  );
});
