import os from 'node:os';

/** In some containers a user has a number and no name. */
export function userNameOf(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'somebody';
  }
}
