import { type ChildProcess, spawn } from 'node:child_process';
import type { AttachedCommand, CommandEnd, Launch } from '../engine/ports.ts';
import { endOfStatus, explainStart, isCertain, notStarted, signalled } from './command-end.ts';
import { programPath } from './find-program.ts';
import { commandLine } from './command-line.ts';
import { baseEnvironment, taskEnvironment, terminalEnvironment } from './environment.ts';
import { folderSentence, resolveFolder } from './folder.ts';
import { signalGroup } from './signals.ts';
import { Sweeper, sweepEarlier } from './sweeper.ts';
import { codeOf } from './system-error.ts';

/**
 * Runs a command in the terminal that this process is in: it reads what is typed and writes to the
 * screen. It is of our process group, as is everything that Ctrl-C ends.
 *
 * Invariant: whoever calls this outlives SIGINT, SIGTERM and SIGHUP; the group gets them all.
 */
export function startAttached(
  launch: Launch,
  { parentEnv, proof }: Omit<Surroundings, 'cwd'>,
): AttachedCommand {
  try {
    const cwd = resolveFolder(launch);
    if (cwd === undefined) return endedWith(notStarted(folderSentence(launch)));
    return attach(launch, { cwd, parentEnv, proof });
  } catch (error) {
    return endedWith(endOfStart(launch.definition.id, error));
  }
}

interface Surroundings {
  readonly cwd: string;
  readonly parentEnv: NodeJS.ProcessEnv;
  /** By which the command shows that it is that command. */
  readonly proof: string;
}

function attach(launch: Launch, { cwd, parentEnv, proof }: Surroundings): AttachedCommand {
  const { command, id } = launch.definition;
  if (command === undefined) return endedWith(notStarted(`"${id}" has no command.`));
  const { file, args, isVerbatim } = commandLine(command);
  const env = {
    ...baseEnvironment(parentEnv),
    ...terminalEnvironment(parentEnv),
    ...taskEnvironment(launch, proof),
  };
  sweepEarlier({ run: launch.run, task: id, term: launch.term }, parentEnv);
  const child = spawn(programPath(file, env), args, {
    cwd,
    env,
    stdio: 'inherit',
    windowsVerbatimArguments: isVerbatim,
  });
  let isStopped = false;
  const sweep = async (): Promise<void> => {
    await new Sweeper().sweep({ run: launch.run, term: launch.term });
  };
  const end = async (): Promise<CommandEnd> => {
    const ended = await endOf(child, file);
    // What left the group would go on where nobody sees it.
    if (isStopped) await sweep();
    return ended;
  };
  return {
    ended: end(),
    signal: (signal) => {
      isStopped = true;
      send(child, signal);
      if (signal === 'kill') void sweep();
    },
  };
}

async function endOf(child: ChildProcess, file: string): Promise<CommandEnd> {
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve(endOfStart(file, error)));
    child.once('exit', (code, signal) =>
      resolve(code === null ? signalled(signal) : endOfStatus(code)),
    );
  });
}

/** We are in the group ourselves, so that it can be asked to end, but not be made to. */
function send(child: ChildProcess, signal: 'terminate' | 'kill'): void {
  if (signal === 'kill') child.kill('SIGKILL');
  // Whoever started us may have put us into a group of theirs, which is not ours to end.
  else if (process.platform === 'win32' || !signalGroup(process.pid, 'SIGTERM')) child.kill();
}

function endOfStart(what: string, error: unknown): CommandEnd {
  const code = codeOf(error);
  if (!isCertain(code)) return { kind: 'lost', cause: 'not-started' };
  return notStarted(explainStart(what, code));
}

function endedWith(end: CommandEnd): AttachedCommand {
  return { ended: Promise.resolve(end), signal: () => {} };
}
