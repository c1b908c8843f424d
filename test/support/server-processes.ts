import { execFileSync } from 'node:child_process';

/** As if it had crashed, or the system had needed its memory. */
export function killServers(below: string): void {
  for (const pid of serverProcesses(below)) process.kill(pid, 'SIGKILL');
}

/** The language servers of an installed extension, by their process ids. */
function serverProcesses(below: string): readonly number[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return command.includes(below) && command.includes('dist/server.js') ? [Number(pid)] : [];
  });
}
