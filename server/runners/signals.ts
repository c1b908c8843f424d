/** Whether there was anybody to signal. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return signalProcess(-leader, signal);
}

export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
