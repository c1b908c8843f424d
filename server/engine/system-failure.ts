/** What to do about what a system says of its disks and files; other codes are mistakes of ours. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'Your quota on that disk is used up: free some space.',
  EIO: 'The disk failed: check it.',
  EROFS: 'That disk is read-only: make it writable.',
  EACCES: 'Make it, and the folders above it, readable and writable for you.',
  EPERM: 'Make it, and the folders above it, readable and writable for you.',
  ENOENT: 'It was removed or renamed: open the folder where it is now.',
  ENOTDIR: 'A folder above it was replaced by a file: move that away.',
  ESTALE: 'Its file server does not know it any more: open the folder again.',
  ENODEV: 'Its disk was taken out: put it back.',
  ENXIO: 'Its disk was taken out: put it back.',
  EMFILE: 'Too many files are open: close programs, or raise the limit ("ulimit -n").',
  ENFILE: 'Too many files are open: close programs, or raise the limit of the system.',
  ENOMEM: 'There is no memory left: close programs.',
};

/**
 * A sentence for the user about an error that the operating system gave; undefined for anything else. Where
 * an adapter knows better what failed and why it was needed, it throws an error of its own with the sentence.
 */
export function systemFailure(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  // Whoever starts a program says what it was for.
  if (String(error.syscall).startsWith('spawn')) return undefined;
  const code = String(error.code);
  const advice = ADVICE[code];
  if (advice === undefined) return undefined;
  const what = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return what === undefined
    ? `The system refused "${String(error.syscall)}" (${code}). ${advice}`
    : `Interlock could not use ${what} (${code}). ${advice}`;
}
