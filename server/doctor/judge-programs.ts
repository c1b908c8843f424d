import { type Finding, fine, note, wrong } from './finding.ts';
import type { MachineFacts, ProgramFacts } from './ports.ts';

type Program = MachineFacts['program'];

export async function judgeShell(program: Program): Promise<Finding> {
  const answer = await program('sh', ['-c', 'echo works']);
  if (answer.kind === 'said' && answer.text === 'works') return fine('sh runs commands');
  return wrong(
    `sh ${problemOf(answer)}`,
    'A "run" that is a text is given to sh: put one on the PATH. A list is run without it.',
  );
}

export async function judgeGit(program: Program): Promise<Finding> {
  const version = await program('git', ['--version']);
  if (version.kind !== 'said')
    return note(
      `git ${problemOf(version)}`,
      'Without it, worktrees of a repository do not share a board, and ignored files are not known.',
    );
  const name = version.text.replace(/^git version /, '');
  const trees = await program('git', [...QUIET, 'worktree', 'list', '--porcelain']);
  if (trees.kind === 'said') {
    const count = trees.text.split('\n').filter((line) => line.startsWith('worktree ')).length;
    return fine(`${name}, ${count} working ${count === 1 ? 'tree' : 'trees'}`);
  }
  const problem = trees.kind === 'failed' ? trees.message : '';
  if (/not a git repository/i.test(problem)) return fine(`${name}; the folder is in no repository`);
  return wrong(
    `${name}, ${problemOf(trees)}`,
    'Run "git status" in the folder, and do what it says.',
  );
}

export async function judgeTmux(program: Program): Promise<Finding> {
  const version = await program('tmux', ['-V']);
  if (version.kind === 'said') return fine(version.text.replace(/^tmux /, ''));
  return note(`tmux ${problemOf(version)}`, 'Only tasks that run in tmux sessions need it.');
}

/** The user's own configuration is left out: it may start programs. */
export async function judgeSsh(program: Program): Promise<Finding> {
  const version = await program('ssh', ['-V']);
  if (version.kind !== 'said')
    return note(`ssh ${problemOf(version)}`, 'Only tasks on other machines need it.');
  const resolved = await program('ssh', ['-F', 'none', '-G', 'localhost']);
  if (resolved.kind === 'said' && /^hostname localhost$/m.test(resolved.text))
    return fine(version.text);
  return note(
    `${version.text}, and "ssh -G" ${problemOf(resolved)}`,
    'Hosts are found by "ssh -G": OpenSSH 6.8 or newer has it.',
  );
}

/** Nothing that the repository names as a program is started. */
const QUIET = ['-c', 'core.fsmonitor=false'];

function problemOf(answer: ProgramFacts): string {
  switch (answer.kind) {
    case 'said':
      return 'answers something else than expected';
    case 'absent':
      return 'is not installed';
    case 'failed':
      return `fails: ${answer.message}`;
    default:
      return answer satisfies never;
  }
}
