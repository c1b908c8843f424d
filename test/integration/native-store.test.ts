import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, ROOT, startProgram } from '../support/command.ts';
import { stdioClient } from '../support/stdio-client.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLAN = 'tasks:\n  a: { run: touch ran.txt }\n  b: { run: x, depends_on: [gone] }\n';

/** The product as it is installed, with its native part changed by the test. */
function installation(change: (bytes: Buffer) => Buffer): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'prebuilds'));
  cpSync(path.join(ROOT, 'dist'), path.join(folder, 'dist'), { recursive: true });
  for (const file of readdirSync(path.join(ROOT, 'prebuilds')))
    writeFileSync(
      path.join(folder, 'prebuilds', file),
      change(readFileSync(path.join(ROOT, 'prebuilds', file))),
    );
  return path.join(folder, 'dist');
}

/** As the dynamic linker sees it on a system that is too old. */
function wantsNewerGlibc(bytes: Buffer): Buffer {
  const wanted = Buffer.from('GLIBC_2.34');
  const at = bytes.indexOf(wanted);
  if (at >= 0) bytes.write('GLIBC_9.34', at);
  return bytes;
}

async function run(
  dist: string,
  nodeArgs: readonly string[] = [],
): Promise<Ended & { files: string[] }> {
  const cwd = projectWith(PLAN);
  const args = [...nodeArgs, path.join(dist, 'cli.js'), 'run'];
  const env = { INTERLOCK_STATE_DIR: path.join(cwd, '.state') };
  const ended = await startProgram(process.execPath, args, { cwd, env }).ended;
  return { ...ended, files: readdirSync(cwd) };
}

test('a system that is too old is one sentence on the command line, with exit code 5', async () => {
  const { code, out, err, files } = await run(installation(wantsNewerGlibc));
  expect([code, out]).toEqual([5, '']);
  expect(err).toMatch(
    /^Interlock cannot keep its state on this machine, because SQLite does not load \(.*\): it needs Linux with glibc 2\.34 or newer, Alpine, macOS or Windows, on x64 or arm64\.\n$/,
  );
  expect(files).not.toContain('ran.txt');
});

test.runIf(process.platform === 'linux')('the sentence names what the system lacks', async () => {
  expect((await run(installation(wantsNewerGlibc))).err).toContain("`GLIBC_9.34' not found");
});

test('a native part that is missing is the same sentence', async () => {
  const dist = installation((bytes) => bytes);
  const empty = temporaryFolder();
  cpSync(dist, path.join(empty, 'dist'), { recursive: true });
  const { code, err } = await run(path.join(empty, 'dist'));
  expect(code).toBe(5);
  expect(err.split('\n')).toHaveLength(2);
  expect(err).toMatch(/^Interlock cannot keep its state on this machine/);
});

test('a Node.js that is too old is one sentence, before anything else is loaded', async () => {
  const preload = path.join(temporaryFolder(), 'old-node.cjs');
  writeFileSync(
    preload,
    "Object.defineProperty(process.versions, 'napi', { value: '9' }); delete Set.prototype.union;",
  );
  const sentence =
    /^Interlock needs Node\.js 22\.14 or newer, and this is \S+: run it with a newer Node\.js, or in VS Code 1\.101 or newer\.\n$/;
  const { code, err } = await run(path.join(ROOT, 'dist'), ['--require', preload]);
  expect([code, err]).toEqual([5, expect.stringMatching(sentence)]);
  const args = ['--require', preload, path.join(ROOT, 'dist', 'server.js'), '--stdio'];
  const server = await startProgram(process.execPath, args, { cwd: temporaryFolder() }).ended;
  expect([server.code, server.err]).toEqual([5, expect.stringMatching(sentence)]);
});

test('in the editor it is one sentence too; plans are shown and checked all the same', async () => {
  const dist = installation(wantsNewerGlibc);
  const folder = projectWith(PLAN);
  const client = stdioClient(path.join(dist, 'server.js'), {
    INTERLOCK_STATE_DIR: path.join(folder, '.state'),
  });
  await client.start(folder);
  await client.until(() => client.states === 'a idle, b blocked' && client.errors.length > 0);
  expect(client.errors).toHaveLength(1);
  expect(client.errors[0]).toMatch(/^Interlock cannot keep its state on this machine/);
  expect(await client.run(folder)).toEqual({ kind: 'refused', message: client.errors[0] });
  expect(client.errors).toHaveLength(1);
});
