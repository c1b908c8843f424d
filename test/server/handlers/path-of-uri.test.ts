import { expect, test } from 'vitest';
import { pathOfUri } from '../../../server/handlers/path-of-uri.ts';

function check(name: string, uri: string, expected: string | undefined): void {
  test(name, () => {
    expect(pathOfUri(uri)).toBe(expected);
  });
}

check('a file has a path', 'file:///a/b%20c', '/a/b c');
check('what is no file has none', 'untitled:Untitled-1', undefined);
check('what is on another machine has none', 'file://host/a', undefined);
check('what no disk can have has none', 'file:///a%00b', undefined);
check('what is no URI has none', 'file:///%', undefined);
