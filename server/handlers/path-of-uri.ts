import { fileURLToPath } from 'node:url';

/** Nothing for what is on no disk of this machine. */
export function pathOfUri(uri: string): string | undefined {
  try {
    const file = uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
    return file?.includes('\0') === true ? undefined : file;
  } catch {
    return undefined;
  }
}
