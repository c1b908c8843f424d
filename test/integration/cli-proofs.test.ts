import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectBoard } from '../../server/coordinator/board-connection.ts';
import type { HolderWord } from '../../server/cli/holding.ts';
import { agentIn } from '../support/agent-client.ts';
import { hookIn, writing } from '../support/agent-hook.ts';
import { CLI, cli, type RunningProgram, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { tmuxServer } from '../support/typed-in-tmux.ts';
import { untilFile } from '../support/until-file.ts';

type Environment = Readonly<Record<string, string>>;

interface Inside {
  readonly folder: string;
  readonly run: RunningProgram;
  /** What the command of "code" has in its environment, of Interlock. */
  readonly env: Environment;
  /** The same, of "docs". */
  readonly other: Environment;
  readonly end: () => void;
}

/** Writes what it was given, and goes on until it may end. */
function waits(name: string): string {
  return `env | grep ^INTERLOCK_ > ${name}.part && mv ${name}.part ${name}.env; until test -e go; do sleep 0.05; done`;
}

async function envIn(folder: string, name: string): Promise<Environment> {
  const file = path.join(folder, `${name}.env`);
  await untilFile(file, 'INTERLOCK_TERM');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=', 2)));
}

/** Two tasks at work whose commands speak for themselves. */
async function inside(how = ''): Promise<Inside> {
  const plan = `tasks:
  code: { run: '${waits('code')}', writes: [src/**]${how} }
  docs: { run: '${waits('docs')}' }
`;
  const folder = realpathSync(projectWith(plan));
  const run = startCli(['run'], folder);
  const [env, other] = [await envIn(folder, 'code'), await envIn(folder, 'docs')];
  const end = (): void => writeFileSync(path.join(folder, 'go'), '');
  return { folder, run, env, other, end };
}

function without(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'INTERLOCK_PROOF'));
}

async function stateOf(folder: string): Promise<string> {
  const { out } = await cli(['where', '--json'], folder);
  const { state }: { readonly state: string } = JSON.parse(out);
  return state;
}

const WORDS: readonly HolderWord[] = ['done', 'fail', 'release', 'renew'];

test('the variables of a task without its proof say nothing for its command', async () => {
  const { folder, run, env, other, end } = await inside();
  const guesses: readonly (readonly [RegExp, Environment, readonly HolderWord[]])[] = [
    [/INTERLOCK_PROOF is not set here/, without(env), WORDS],
    [/is not that of term \d+/, { ...env, INTERLOCK_PROOF: 'f'.repeat(64) }, WORDS],
    // Of another task, and the other way around.
    [/is not that of term/, { ...env, INTERLOCK_PROOF: other['INTERLOCK_PROOF'] ?? '' }, ['done']],
    [/is not that of term/, { ...other, INTERLOCK_PROOF: env['INTERLOCK_PROOF'] ?? '' }, ['done']],
  ];
  await Promise.all(
    guesses.map(async ([sentence, guessed, words]) => {
      for (const word of words) {
        const message = word === 'fail' ? ['--message', 'Guessed.'] : [];
        const { code, out } = await cli([word, '--json', ...message], folder, guessed);
        expect([word, code, JSON.parse(out)]).toMatchObject([
          word,
          4,
          { refused: { why: 'not-holder', message: expect.stringMatching(sentence) } },
        ]);
      }
    }),
  );
  const refused = await cli(['done'], folder, without(env));
  expect(refused.err).toMatch(
    /^"code" runs its command: only that command can say that it is done, and .*Let its exit code say how it ends, or end it: interlock cancel code\n$/,
  );
  expect((await cli(['log', 'code'], folder)).out).toBe('');
  expect((await cli(['status'], folder)).out).toMatch(/code +running[^]*docs +running/);
  expect(await cli(['fail', '--message', 'Mine.'], folder, env)).toMatchObject({
    code: 0,
    out: '"code" has failed when its command ends.\n',
  });
  end();
  const { code, out } = await run.ended;
  expect(code).toBe(1);
  expect(out).toMatch(/code: failed \(exit code 1 after .*: Mine\.\)/);
  expect(out).toMatch(/docs: completed/);
});

test('a proof is of one attempt, and not of the next', async () => {
  const { folder, run, env, end } = await inside();
  await cli(['cancel', 'code'], folder);
  await run.says('code: cancelled');
  await cli(['retry', 'code'], folder);
  await run.says(/code: cancelled[^]*code: running/);
  let next = env;
  while (next['INTERLOCK_TERM'] === env['INTERLOCK_TERM']) next = await envIn(folder, 'code');
  const mixed = { ...next, INTERLOCK_PROOF: env['INTERLOCK_PROOF'] ?? '' };
  expect(await cli(['done'], folder, mixed)).toMatchObject({
    code: 4,
    err: expect.stringContaining('INTERLOCK_PROOF is not that of term'),
  });
  expect(await cli(['done'], folder, next)).toMatchObject({ code: 0 });
  end();
  await run.ended;
});

test('a request at the socket of the board needs the proof as well', async () => {
  const { folder, run, env, other, end } = await inside();
  const result = await connectBoard({
    directory: await stateOf(folder),
    role: 'window',
    name: 'a stranger',
    build: '1.0.0',
    onNotification: () => {},
    onClosed: () => {},
  });
  if (result.kind !== 'connected') throw new Error(JSON.stringify(result));
  const { connection } = result;
  onTestFinished(() => connection.close());
  const say = async (proof: unknown): Promise<unknown> =>
    await connection.request('board/say', {
      operation: 'the same',
      request: {
        run: env['INTERLOCK_RUN'],
        task: 'code',
        term: Number(env['INTERLOCK_TERM']),
        by: { kind: 'command', proof },
        says: { kind: 'completed' },
      },
    });
  for (const proof of [undefined, '', 'f'.repeat(64), other['INTERLOCK_PROOF']])
    expect(await say(proof)).toEqual({ kind: 'not-holder', holder: 'runner/local' });
  await expect(say(7)).rejects.toThrow('a string is needed');
  await expect(say('f'.repeat(1000))).rejects.toThrow('200 characters at most');
  expect(await say(env['INTERLOCK_PROOF'])).toMatchObject({ kind: 'accepted', isAnnounced: true });
  // Sent again by somebody else, it is not answered with what came of the first.
  expect(await say(undefined)).toMatchObject({ kind: 'not-holder' });
  end();
  expect((await run.ended).out).toContain('code: completed');
});

test.skipIf(process.platform === 'win32')(
  'a process that takes the board over accepts what the one before has given',
  async () => {
    const { folder, run, env, end } = await inside();
    run.child.kill('SIGKILL');
    await run.ended;
    const next = startCli(['run'], folder);
    await next.says('goes on where it was interrupted');
    expect(await cli(['fail', '--message', 'After all.'], folder, without(env))).toMatchObject({
      code: 4,
    });
    expect(await cli(['fail', '--message', 'After all.'], folder, env)).toMatchObject({ code: 0 });
    end();
    expect((await next.ended).out).toMatch(/code: failed \(exit code 1 after .*: After all\.\)/);
  },
);

test('an agent in a task proves by its environment that it may speak for it and write its files', async () => {
  const { folder, run, env, end } = await inside();
  const [own, guessed] = [
    await agentIn(folder, { env }),
    await agentIn(folder, { env: without(env) }),
  ];
  const say = { task: 'code', message: 'no' };
  expect(await guessed.call('fail_task', say)).toMatchObject({
    isError: true,
    text: expect.stringContaining('INTERLOCK_PROOF is not set here'),
  });
  expect(await own.call('fail_task', say)).toMatchObject({ isError: false });
  const paths = { paths: ['src/a.ts'] };
  expect((await guessed.call('check_paths', paths)).text).toContain('is writing');
  expect((await own.call('check_paths', paths)).text).not.toContain('is writing');
  const refused = await hookIn(folder, writing('src/a.ts', 'one'), { env: without(env) });
  expect(refused.out).toContain('is writing this file');
  expect(await hookIn(folder, writing('src/a.ts', 'two'), { env })).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  end();
  await run.ended;
});

const isLinux = process.platform === 'linux';

/** A command that says of itself that it has failed. */
const SAYS = `"${process.execPath}" "${CLI}" fail --message "Says so itself."`;

test('a command in a terminal speaks for itself', async () => {
  const folder = projectWith(`tasks:\n  play: { in: terminal, run: '${SAYS}' }\n`);
  const run = startCli(['run'], folder);
  await run.says('play: runs in a terminal');
  const taken = await cli(['terminal', 'play'], folder);
  expect(taken.out).toBe('"play" has failed when its command ends.\n');
  expect((await run.ended).out).toMatch(/play: failed \(exit code 1 after .*: Says so itself\.\)/);
});

test.runIf(isLinux)('a command in a session of this machine speaks for itself', async () => {
  const folder = projectWith(`tasks:\n  play: { in: tmux, run: '${SAYS}' }\n`);
  await cli(['session', 'list'], folder);
  tmuxServer(
    `interlock-${readFileSync(path.join(await stateOf(folder), 'machine'), 'utf8').trim()}`,
  );
  const { code, out } = await startCli(['run'], folder).ended;
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/play: failed \(exit code 1 after .*: Says so itself\.\)/),
  ]);
});

test.runIf(isLinux)('a proof is in the environment of its command, and nowhere else', async () => {
  const script = `${waits('code')}; ${SAYS}`;
  const folder = realpathSync(
    projectWith(
      `tasks:\n  code: { run: '${script}' }\n  docs: { in: tmux, run: '${waits('docs')}' }\n`,
    ),
  );
  await cli(['session', 'list'], folder);
  const state = await stateOf(folder);
  tmuxServer(`interlock-${readFileSync(path.join(state, 'machine'), 'utf8').trim()}`);
  const run = startCli(['run'], folder);
  const envs = [await envIn(folder, 'code'), await envIn(folder, 'docs')];
  const proofs = envs.map(({ INTERLOCK_PROOF: proof = '' }) => proof);
  expect(proofs).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  const isShown = (text: string): boolean => proofs.some((proof) => text.includes(proof));
  expect(argumentsOfAll().filter(isShown)).toEqual([]);
  writeFileSync(path.join(folder, 'go'), '');
  await run.ended;
  const looks = [
    ['status', '--json'],
    ['why', 'code', '--json'],
    ['timeline', '--json'],
    ['runs', '--json'],
    ['log', 'code'],
    ['export'],
    ['export', '--json'],
    ['doctor', '--json'],
    ['where', '--json'],
  ];
  for (const words of looks) {
    const { out, err } = await cli(words, folder, envs[0]);
    expect([words, isShown(out + err)]).toEqual([words, false]);
  }
  // A session is given its order by a file that only this user can read, with its whole environment.
  const showing = filesBelow(path.join(folder, '.state')).filter((file) =>
    isShown(readFileSync(file, 'latin1')),
  );
  for (const file of showing) {
    expect(file).toMatch(/\/machine\/[^/]+\/t\/\d+\.order$/);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  }
});

/** What "ps" shows of every process. */
function argumentsOfAll(): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/** Every file below a folder that is no socket or pipe. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
