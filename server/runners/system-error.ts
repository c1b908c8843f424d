/** There is no such file or process, which is something else than not being able to look. */
export function isAbsent(error: unknown): boolean {
  return ABSENT.has(codeOf(error));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ESRCH']);

/** Whether the system refused something, and not a mistake of ours. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
